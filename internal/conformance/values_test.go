package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// Results in the form that is compared with the wire.

var (
	noon  = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	time1 = time.Unix(1763645581, 0)
)

// A compared is a result beside the form of it that is compared with the wire.
type compared struct{ result, sent any }

func (c compared) MarshalJSON() ([]byte, error) { return json.Marshal(c.sent) }

func empty(v reflect.Value) bool {
	if v.Kind() != reflect.Slice {
		return v.IsZero()
	}
	for i := range v.Len() {
		if !v.Index(i).IsZero() {
			return false
		}
	}
	return true
}

// A typedAccount is a token account whose parsed data is the typed view of it.
type typedAccount struct {
	Address types.Address `json:"pubkey"`
	Account struct {
		rpc.Account
		Data any `json:"data"`
	} `json:"account"`
}

func typed(list *types.Page[rpc.TokenAccount]) any {
	all := []typedAccount{}
	for _, item := range list.Items {
		a := typedAccount{Address: item.Address}
		a.Account.Account = item.Account
		a.Account.Data = item.Account.Data
		if info, err := item.Account.Data.TokenAccount(); err == nil {
			a.Account.Data = map[string]any{
				"program": item.Account.Data.Program,
				"space":   item.Account.Data.Space,
				"parsed":  map[string]any{"type": item.Account.Data.Type, "info": info},
			}
		}
		all = append(all, a)
	}
	return all
}

// wireBalances is a page of balances with its wire names.
type wireBalances struct {
	Balances      []wallet.Balance `json:"balances"`
	NFTs          []types.NFT      `json:"nfts"`
	TotalUSDValue decimal.Decimal  `json:"totalUsdValue"`
}

func listedBalances(page *wallet.BalancePage) any {
	return wireBalances{page.Items, page.NFTs, page.TotalUSDValue}
}

// A shownWebhook marshals its secret in plain text.
type shownWebhook struct {
	*webhooks.Webhook
	AuthHeader string `json:"authHeader"`
}

func shown(w *webhooks.Webhook) any {
	return shownWebhook{w, string(w.AuthHeader)}
}

type shownSummary struct {
	webhooks.Summary
	AuthHeader string `json:"authHeader"`
}

func shownAll(list []webhooks.Summary) any {
	var all []shownSummary
	for _, s := range list {
		all = append(all, shownSummary{s, string(s.AuthHeader)})
	}
	return all
}

// onWire returns an account as version 2 sends it, without the copy of its tree.
func onWire(a *compressed.Account) *compressed.Account {
	if a == nil || a.MerkleContext == nil {
		return a
	}
	sent := *a
	sent.Tree = ""
	return &sent
}

func accountsOf(list []*compressed.Account) any {
	all := []*compressed.Account{}
	for _, a := range list {
		all = append(all, onWire(a))
	}
	return all
}

func accountItems(page *types.Page[compressed.Account]) any {
	all := []*compressed.Account{}
	for i := range page.Items {
		all = append(all, onWire(&page.Items[i]))
	}
	return all
}

func tokenItems(page *types.Page[compressed.TokenAccount]) any {
	all := page.Items
	for i := range all {
		all[i].Account = *onWire(&all[i].Account)
	}
	return all
}

// Walks over listings of any type.

type (
	walk struct {
		cursor   string
		prefetch bool
	}
	pages = iter.Seq2[step, error]
	items = iter.Seq2[string, error]
)

// last returns the last error of a walk.
func last[T any](walk iter.Seq2[T, error]) (last error) {
	for _, last = range walk { //nolint:revive // the last one counts
	}
	return last
}

// A step is a page of a walk.
type step struct {
	items  int
	cursor string
	more   bool
}

// open calls the method of a list, with options that set changes.
func (c *clients) open(ctx context.Context, method string, args []any, set func(options reflect.Value)) reflect.Value {
	_, m := methodOf(method)
	options := reflect.New(m.Type.In(m.Type.NumIn() - 1).Elem())
	set(options.Elem())
	return c.invoke(ctx, method, append(slices.Clone(args), options.Interface()))[0]
}

// A listing is how the list of an operation is read.
type listing struct {
	method string // rows sets it
	args   []any
	item   string // a template that takes a name
	// a template of items, a cursor or null, whether more follows, and a number
	page string

	number     bool // cursors are numbers of pages
	untilEmpty bool // only an empty page is the last
}

// listOf returns a listing by cursor.
func listOf(item, page string, args ...any) *listing {
	return &listing{args: args, item: item, page: page}
}

// answer returns a page of items with these names; the last page has an empty cursor.
func (l *listing) answer(names []string, cursor string, number int) string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf(l.item, name))
	}
	quoted := "null"
	if cursor != "" {
		quoted = `"` + cursor + `"`
	}
	text, _, _ := strings.Cut(fmt.Sprintf(l.page, strings.Join(list, ","), quoted, cursor != "", number), "%!(EXTRA")
	return text
}

func (l *listing) open(ctx context.Context, c *clients, w walk) reflect.Value {
	return c.open(ctx, l.method, l.args, func(o reflect.Value) {
		o.FieldByName("Cursor").SetString(w.cursor)
		o.FieldByName("Prefetch").SetBool(w.prefetch)
	})
}

func (l *listing) pages(ctx context.Context, c *clients, w walk) pages {
	return pagesOf(l.open(ctx, c, w))
}

// pagesOf reads the pages of a list.
func pagesOf(list reflect.Value) pages {
	return func(yield func(step, error) bool) {
		for page, e := range list.MethodByName("Pages").Call(nil)[0].Seq2() {
			if err, _ := reflect.TypeAssert[error](e); err != nil {
				yield(step{}, zero(page.IsNil(), err))
				return
			}
			page = page.Elem()
			if !yield(step{page.FieldByName("Items").Len(), page.FieldByName("Cursor").String(), page.FieldByName("HasMore").Bool()}, nil) {
				return
			}
		}
	}
}

// items reads the items of a listing as text.
func (l *listing) items(ctx context.Context, c *clients, w walk) items {
	return func(yield func(string, error) bool) {
		for item, e := range l.open(ctx, c, w).MethodByName("All").Call(nil)[0].Seq2() {
			err, _ := reflect.TypeAssert[error](e)
			if !yield(fmt.Sprintf("%v", item.Interface()), err) {
				return
			}
		}
	}
}

// zero joins another error to err if the value beside it was not zero.
func zero(is bool, err error) error {
	if !is {
		return errors.Join(err, errors.New("a value came with the error"))
	}
	return err
}
