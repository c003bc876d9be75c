// Package storetest tests an implementation of webhooks.Store, which keeps what the receivers
// of Helius webhooks have handled of Solana accounts:
//
//	func TestStore(t *testing.T) {
//		if err := storetest.TestStore(t.Context(), &myStore{db}); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// A whole program:
//
//	// Check tests the store in memory.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/solwire/solwire-go/webhooks"
//		"github.com/solwire/solwire-go/webhooks/storetest"
//	)
//
//	func main() {
//		if err := storetest.TestStore(context.Background(), new(webhooks.MemoryStore)); err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println("the store is good")
//	}
package storetest

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// script has calls of records, with their arguments as JSON, and their results as fmt prints
// them, without ages; "claimed" stands for ErrClaimed. Records 0 and 1 are of one name, as two
// processes have them, 2 and 3 are of another name; each paragraph has new names. A call after
// a ~ is repeated until the result is as wanted, for at most half a minute.
const script = `
claims
0 Claim {"Signature":"$1","Slot":5,"Address":"A"} = true
0 Claim {"Signature":"$1","Slot":5,"Address":"A"} = claimed
2 Claim {"Signature":"$1","Slot":5,"Address":"A"} = true
1 Release {"Signature":"$1"} "reason"
1 Claim {"Signature":"$1","Slot":5,"Address":"A"} = claimed
0 Renew {"Signature":"$1"}
0 Release {"Signature":"$1"} "reason"
1 Claim {"Signature":"$1","Slot":5,"Address":"A"} = true
0 Renew {"Signature":"$1"} = claimed
0 Done {"Signature":"$1"}
0 Claim {"Signature":"$1","Slot":5,"Address":"A"} = false
1 Release {"Signature":"$1"} "reason"
1 Claim {"Signature":"$1","Slot":5,"Address":"A"} = false

lapsed claims
0 Claim {"Signature":"$1","Slot":5,"Address":"A"} = true
~1 Claim {"Signature":"$1","Slot":5,"Address":"A"} = true
0 Claim {"Signature":"$1","Slot":5,"Address":"A"} = claimed

open events
0 OpenEvents {"Limit":9} = &{0 0 0s []}
0 Claim {"Signature":"$7"} = true
0 OpenEvents {} = &{1 0 0s []}
0 Claim {"Signature":"$3","Slot":20,"Address":"A"} = true
0 Claim {"Signature":"$2","Slot":20,"Address":"A"} = true
0 Claim {"Signature":"$1","Slot":30,"Address":"A"} = true
0 OpenEvents {"Limit":9} = &{4 20 0s []}
0 Release {"Signature":"$7"} "reason"
0 Release {"Signature":"$3"} "reason"
0 Release {"Signature":"$2"} "reason"
0 Release {"Signature":"$1"} "reason"
0 OpenEvents {"Limit":9} = &{4 20 0s [{0 $7  0s 1 reason} {20 $2 A 0s 1 reason} {20 $3 A 0s 1 reason} {30 $1 A 0s 1 reason}]}
0 OpenEvents {"Limit":2} = &{4 20 0s [{0 $7  0s 1 reason} {20 $2 A 0s 1 reason}]}
0 OpenEvents {"Limit":9,"After":{"Slot":20,"Signature":"$2"}} = &{4 20 0s [{20 $3 A 0s 1 reason} {30 $1 A 0s 1 reason}]}
0 OpenEvents {"Limit":9,"Idle":MINUTE} = &{4 20 0s []}
0 Claim {"Signature":"$2","Slot":20} = true
0 Release {"Signature":"$2"} "reason"
0 OpenEvents {"Limit":1,"After":{"Signature":"$7"}} = &{4 20 0s [{20 $2 A 0s 2 reason}]}
0 Missing ["$8","$7","$9"] = [$8 $9]
0 Claim {"Signature":"$7"} = true
0 Done {"Signature":"$3"}
0 OpenEvents {"Limit":9} = &{3 20 0s [{20 $2 A 0s 2 reason} {30 $1 A 0s 1 reason}]}

facts
1 Facts "" = []
0 Add [{"Name":"a/1","Value":"one"},{"Name":"A/1","Value":"upper"},{"Name":"b%","Value":"LONG"}]
0 Add [{"Name":"a/1","Value":"again"},{"Name":"a/2","Value":"two"}]
1 Facts "a/" = [{a/1 one 0s} {a/2 two 0s}]
2 Facts "" = []
0 Put [{"Name":"a/1","Value":"new"},{"Name":"a/2"},{"Name":"a/3","Value":"three"}]
0 Put [{"Name":"a/1","Value":"new"}]
1 Facts "a" = [{a/1 new 0s} {a/3 three 0s}]
1 Facts "%" = []
1 Facts "" = [{A/1 upper 0s} {a/1 new 0s} {a/3 three 0s} {b% LONG 0s}]
0 Add [JSON]
1 Facts "many/" = [FOUND]
0 Add []

lock
0 Lock MINUTE = true
~0 Lock MINUTE = true
1 Lock MINUTE = false
2 Lock MINUTE = true
1 Lock 0 = false
1 Lock MINUTE = false
0 Lock 0 = true
1 Lock 50000000 = true
~0 Lock MINUTE = true

Clean
0 Claim {"Signature":"$1","Slot":10} = true
0 Claim {"Signature":"$2","Slot":11} = true
0 Claim {"Signature":"$3","Slot":12} = true
0 Claim {"Signature":"$4","Slot":13} = true
0 Done {"Signature":"$1"}
0 Done {"Signature":"$2"}
0 Done {"Signature":"$4"}
0 Clean MINUTE 13 = 0
0 Clean 0 13 = 2
0 Claim {"Signature":"$1","Slot":10} = true
0 Claim {"Signature":"$2","Slot":11} = true
0 Claim {"Signature":"$3","Slot":12} = claimed
0 Claim {"Signature":"$4","Slot":13} = false
`

// zeros make a signature of a digit.
const zeros = "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"

// TestStore tests a store with new records, for at most a minute: claims must lapse within half
// of it. It returns what is wrong.
func TestStore(ctx context.Context, s webhooks.Store) error {
	var many, found []string
	for i := range 500 {
		many = append(many, fmt.Sprintf(`{"Name":"many/%03d","Value":"1"}`, i))
		found = append(found, fmt.Sprintf("{many/%03d 1 0s}", i))
	}
	calls := strings.NewReplacer("LONG", strings.Repeat("x", 1000), "JSON", strings.Join(many, ","), "FOUND", strings.Join(found, " "), "MINUTE", "60000000000")
	var records [4]webhooks.Record
	for part := range strings.SplitSeq(calls.Replace(strings.TrimSpace(script)), "\n\n") {
		lines, name := strings.Split(part, "\n"), rand.Text()
		for i := range records {
			var err error
			if records[i], err = s.Record(ctx, fmt.Sprint("test ", name, i/2)); err != nil {
				return fmt.Errorf("%s: %w", lines[0], err)
			}
		}
		for _, line := range lines[1:] {
			call, want, _ := strings.Cut(line, " = ")
			call, patient := strings.CutPrefix(call, "~")
			begin := time.Now()
			got, err := run(ctx, records[call[0]-'0'], call[2:])
			for patient && got != want && time.Since(begin) < 30*time.Second {
				time.Sleep(100 * time.Millisecond)
				got, err = run(ctx, records[call[0]-'0'], call[2:])
			}
			if err == nil && got != want {
				err = fmt.Errorf("returns %q, not %q", got, want)
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", lines[0], call, err)
			}
		}
	}
	return race(ctx, records[:2])
}

// run calls a method of a record, and returns its result as text.
func run(ctx context.Context, r webhooks.Record, call string) (string, error) {
	words := strings.Fields(strings.ReplaceAll(call, "$", zeros))
	method := reflect.ValueOf(r).MethodByName(words[0])
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for i, word := range words[1:] {
		arg := reflect.New(method.Type().In(i + 1))
		_ = json.Unmarshal([]byte(word), arg.Interface()) // it is of the script
		args = append(args, arg.Elem())
	}
	invoke := method.Call
	if method.Type().IsVariadic() {
		invoke = method.CallSlice
	}
	results := invoke(args)
	last := len(results) - 1
	if err, _ := reflect.TypeAssert[error](results[last]); errors.Is(err, webhooks.ErrClaimed) {
		return "claimed", nil
	} else if err != nil || last == 0 {
		return "", err
	}
	facts, _ := reflect.TypeAssert[[]webhooks.Fact](results[0])
	slices.SortFunc(facts, func(a, b webhooks.Fact) int { return cmp.Compare(a.Name, b.Name) })
	text := age.ReplaceAllString(fmt.Sprint(results[0]), " 0s")
	return strings.ReplaceAll(text, zeros, "$"), nil
}

// age matches an age of less than a minute: what a script asks for was stored now.
var age = regexp.MustCompile(` [0-9.]+[nµm]?s\b`)

// race fails unless each of 50 events is claimed by one of two processes, once.
func race(ctx context.Context, records []webhooks.Record) error {
	var won [50]atomic.Int32
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range won {
				e := &webhooks.Event{Signature: types.Signature(fmt.Sprintf("%088d", 100+n))}
				if isNew, err := records[i%2].Claim(ctx, e); err == nil && isNew {
					won[n].Add(1)
				}
			}
		})
	}
	wg.Wait()
	for n := range won {
		if times := won[n].Load(); times != 1 {
			return fmt.Errorf("concurrent claims: event %d was claimed %d times", n, times)
		}
	}
	return nil
}
