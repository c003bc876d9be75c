package webhooks

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

const maxFact = 1000 // bytes of a value

// The names of the facts of a Keeper.
const (
	factStart     = "start"     // the first start of a process
	factURL       = "url"       // the hash of the URL of the latest process
	factSlot      = "slot"      // the latest finalized slot
	factCheck     = "check"     // the last check of the webhook
	factDelivered = "delivered" // the last delivery
	factCreating  = "creating"  // a webhook may have been created that is not known
	factWebhook   = "webhook/"  // with an ID: a webhook that was used
	factNeed      = "need/"     // with a slot: all histories are to be read up to it
	factExpect    = "expect/"   // with an address: slot and signature of an event that was delivered
	factGivenUp   = "given up/" // with a signature, or what stands for it: why
	factProcess   = "process/"  // with its name: its report
	factAt        = "at/"       // with an address and a filter: Checkpoint.Slot
	factRead      = "read/"     // the same: Checkpoint.Reached
)

// A Checkpoint is how far the history of an address was handled.
type Checkpoint struct {
	Address types.Address `json:"address"`

	// Slot is where the next backfill of the address begins: all of its earlier events are
	// handled or open. 0 means [KeepConfig.Since].
	Slot uint64 `json:"slot"`

	Reached uint64     `json:"reached"` // the slot up to which the history was read; 0 means never
	Read    types.Time `json:"read"`    // when it was; zero means never

	filter string        // what was looked for
	age    time.Duration // since the history was read
	put    time.Duration // since Slot was stored
}

// fact returns factAt or factRead of a checkpoint with a slot.
func (c *Checkpoint) fact(kind string, slot uint64) Fact {
	return Fact{Name: kind + string(c.Address) + "/" + c.filter, Value: strconv.FormatUint(slot, 10)}
}

// filter names what a Keeper looks for in histories. A checkpoint says nothing about
// transactions that were not looked for.
func (s *Settings) filter() string {
	var wanted []string
	for _, t := range s.TransactionTypes {
		if strings.EqualFold(string(t), string(txtype.Any)) {
			wanted = nil
			break
		}
		wanted = append(wanted, string(t))
	}
	if s.Type.raw() {
		wanted = []string{"raw"}
	}
	slices.Sort(wanted)
	outcome := s.Outcome
	if outcome == types.OutcomeAll {
		outcome = ""
	}
	return hashOf(strings.Join(slices.Compact(wanted), ",") + " " + string(outcome))
}

// facts returns the facts of the record by their names.
func (k *Keeper) facts(ctx context.Context, prefix string) (map[string]Fact, error) {
	all, err := k.record.Facts(ctx, prefix)
	byName := make(map[string]Fact, len(all))
	for _, f := range all {
		byName[f.Name] = f
	}
	return byName, err
}

// checkpoints returns the checkpoints of a record, by address, and the slots that are needed.
func checkpoints(facts map[string]Fact) (all []Checkpoint, need []Fact) {
	for name, f := range facts {
		if strings.HasPrefix(name, factNeed) {
			need = append(need, f)
		}
		if of, ok := strings.CutPrefix(name, factAt); ok {
			address, filter, _ := strings.Cut(of, "/")
			read := facts[factRead+of]
			all = append(all, Checkpoint{Address: types.Address(address), Slot: number(f.Value), Reached: number(read.Value), filter: filter, put: f.Age, age: read.Age})
		}
	}
	slices.SortFunc(all, func(a, b Checkpoint) int { return cmp.Compare(a.Address, b.Address) })
	return all, need
}

// owns reports whether a checkpoint is of a wanted address and type. Others are of former settings
// or of another version of the program.
func (k *Keeper) owns(c Checkpoint) bool { return c.filter == k.filter && k.wanted[c.Address] }

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

func number(text string) uint64 {
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}
