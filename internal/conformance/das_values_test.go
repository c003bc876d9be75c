package conformance_test

import (
	"encoding/json"
	"strings"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// Results of package das under their wire names.

type wireError struct {
	ID    types.Address `json:"id"`
	Error string        `json:"error"`
}

type wireAssets struct {
	Slot          uint64             `json:"last_indexed_slot"`
	GrandTotal    uint64             `json:"grand_total"`
	NativeBalance *das.NativeBalance `json:"nativeBalance"`
	Items         []das.Asset        `json:"items"`
	Errors        []wireError        `json:"errors"`
}

func wiredAssets(page *das.AssetPage) any {
	w := &wireAssets{Slot: page.Slot, GrandTotal: page.Total, NativeBalance: page.NativeBalance}
	for _, a := range page.Items {
		if a.Err == "" {
			w.Items = append(w.Items, a)
		} else {
			w.Errors = append(w.Errors, wireError{a.ID, a.Err})
		}
	}
	return w
}

func wiredAccounts(page *types.Page[das.TokenAccount]) any {
	var w struct {
		Slot     uint64             `json:"last_indexed_slot"`
		Accounts []das.TokenAccount `json:"token_accounts"`
		Errors   []wireError        `json:"errors"`
	}
	w.Slot = page.Slot
	for _, a := range page.Items {
		if a.Err == "" {
			w.Accounts = append(w.Accounts, a)
		} else {
			w.Errors = append(w.Errors, wireError{a.Address, a.Err})
		}
	}
	return w
}

type wireEditions struct {
	Slot          uint64            `json:"last_indexed_slot"`
	MasterEdition types.Address     `json:"master_edition_address"`
	Supply        uint64            `json:"supply"`
	MaxSupply     *uint64           `json:"max_supply"`
	Editions      []json.RawMessage `json:"editions"`
}

// wiredEditions uses the names of the documentation.
func wiredEditions(page *das.EditionPage) *wireEditions {
	w := &wireEditions{page.Slot, page.MasterEdition, page.Supply, page.MaxSupply, nil}
	for _, e := range page.Items {
		text, _ := json.Marshal(e) // or the comparison finds it
		w.Editions = append(w.Editions, text)
	}
	return w
}

// indexedEditions uses the names of an indexer.
func indexedEditions(page *das.EditionPage) any {
	w := wiredEditions(page)
	for i, text := range w.Editions {
		w.Editions[i] = []byte(strings.NewReplacer(`"mint"`, `"mint_address"`, `"edition"`, `"edition_number"`).Replace(string(text)))
	}
	return w
}

// numberedList is a listing by page number that ends with an empty page. Its cursors have
// the number of rows before the page.
func numberedList(item, page string, args ...any) *listing {
	return &listing{args: args, item: item, page: page, number: true, untilEmpty: true}
}
