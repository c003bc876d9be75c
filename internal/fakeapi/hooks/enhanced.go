package hooks

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fakeapi/node"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// enhanced returns a transaction as enhanced webhooks and parsed histories have it.
func enhanced(w *world.World, x *world.Transaction) json.RawMessage {
	var accounts, instructions []json.RawMessage
	native, tokens := node.Transfers(w, x, tokenAmount)
	for _, call := range w.Calls(x) {
		var inner []json.RawMessage
		for _, i := range call.Inner {
			inner = append(inner, world.JSON(`{"accounts":?,"data":?,"programId":?}`, i.Accounts, base58.Encode(i.Data), i.Program))
		}
		instructions = append(instructions, world.JSON(`{"accounts":?,"data":?,"programId":?,"innerInstructions":?}`,
			call.Accounts, base58.Encode(call.Data), call.Program, inner))
	}
	m := node.MessageOf(w, x)
	for i, key := range m.Keys {
		var changes []json.RawMessage
		none := new(world.TokenAccount)
		was, is := cmp.Or(m.Tokens[0][i], none), cmp.Or(m.Tokens[1][i], none)
		if a := cmp.Or(m.Tokens[1][i], was); was.Amount != is.Amount {
			changes = []json.RawMessage{tokenChange(a.Owner, key, a.Token, signed(was.Amount, is.Amount))}
		}
		accounts = append(accounts, world.JSON(`{"account":?,"nativeBalanceChange":?,"tokenBalanceChanges":?}`, key, json.RawMessage(signed(m.Lamports[0][i], m.Lamports[1][i])), changes))
	}
	return world.JSON(`{"description":?,"type":?,"source":?,"fee":?,"feePayer":?,"signature":?,"slot":?,"timestamp":?,"nativeTransfers":?,`+
		`"tokenTransfers":?,"accountData":?,"transactionError":!,"instructions":?,"events":{"swap":~,"nft":~}}`,
		description(w, x), x.Kind, sourceOf(x), x.Fee, x.FeePayer, x.Signature, x.Slot, x.Time.Unix(), native, tokens, accounts, world.When(x.Failure != "", `{"error":?}`, x.Failure), instructions,
		swapEvent(w, x), saleEvent(w, x))
}

func tokenAmount(raw uint64, decimals int) json.RawMessage {
	return world.JSON(`"tokenAmount":?`, world.Number(world.Units(raw, decimals)))
}

// signed returns the difference of two amounts.
func signed(before, after uint64) string {
	if after < before {
		return "-" + world.Text(before-after, 0)
	}
	return world.Text(after-before, 0)
}

func tokenChange(wallet, account string, t *world.Token, amount string) json.RawMessage {
	return world.JSON(`{"userAccount":?,"tokenAccount":?,"mint":?,"rawTokenAmount":{"tokenAmount":?,"decimals":?}}`, wallet, account, t.Mint, amount, t.Decimals)
}

// sourceOf returns the program of a transaction.
func sourceOf(x *world.Transaction) string {
	native := !slices.ContainsFunc(x.Transfers, func(t world.Transfer) bool { return t.Mint != world.SOL })
	switch {
	case x.Source != "":
		return x.Source
	case x.Kind == "SWAP":
		return "JUPITER"
	case x.Kind == "TRANSFER" && native:
		return "SYSTEM_PROGRAM"
	case x.Kind == "TRANSFER":
		return "SOLANA_PROGRAM_LIBRARY"
	}
	return "UNKNOWN"
}

// description describes transfers and swaps.
func description(w *world.World, x *world.Transaction) string {
	amount := func(t *world.Transfer) string {
		token := w.Token(t.Mint)
		return world.Text(t.Raw, token.Decimals) + " " + cmp.Or(token.Symbol, t.Mint)
	}
	nft, price := saleOf(w, x)
	in, out := x.Swap()
	switch {
	case in != nil:
		return x.FeePayer + " swapped " + amount(in) + " for " + amount(out)
	case nft != nil:
		return nft.To + " bought " + cmp.Or(w.Assets.Find(nft.Mint).Name, nft.Mint) + " for " + world.Text(price, 9) + " SOL from " + nft.From + "."
	case x.Kind == "TRANSFER" && len(x.Transfers) == 1:
		t := &x.Transfers[0]
		return t.From + " transferred " + amount(t) + " to " + t.To + "."
	}
	return ""
}

// swapEvent describes a swap of a token for SOL, nil for others.
func swapEvent(w *world.World, x *world.Transaction) json.RawMessage {
	in, out := x.Swap()
	if in == nil || len(x.Instructions) > 0 || in != &x.Transfers[0] || in.Mint == world.SOL || out.Mint != world.SOL {
		return nil
	}
	account := w.AccountOf(in.From, in.Mint)
	return world.JSON(`{"nativeInput":null,"nativeOutput":{"account":?,"amount":?},"tokenInputs":[?],"tokenOutputs":[],"tokenFees":[],"nativeFees":[],`+
		`"innerSwaps":[{"tokenInputs":[?],"tokenOutputs":[?],"tokenFees":[],"nativeFees":[],"programInfo":{"source":"ORCA",`+
		`"account":"whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc","programName":"ORCA_WHIRLPOOLS","instructionName":"swap"}}]}`,
		out.To, world.Text(out.Raw, 0), tokenChange(in.From, account, w.Token(in.Mint), world.Text(in.Raw, 0)),
		node.TokenTransfer(w, *in, account, w.AccountOf(in.To, in.Mint), tokenAmount),
		node.TokenTransfer(w, world.Transfer{From: out.From, To: out.To, Mint: world.WrappedSOL, Raw: out.Raw}, "", "", tokenAmount))
}

// saleEvent describes the sale of an NFT for SOL, nil for other transactions.
func saleEvent(w *world.World, x *world.Transaction) json.RawMessage {
	nft, price := saleOf(w, x)
	if nft == nil {
		return nil
	}
	return world.JSON(`{"description":?,"type":?,"source":?,"amount":?,"fee":?,"feePayer":?,"signature":?,"slot":?,"timestamp":?,"saleType":"INSTANT_SALE",`+
		`"buyer":?,"seller":?,"staker":"","nfts":[{"mint":?,"tokenStandard":"NonFungible"}]}`,
		description(w, x), x.Kind, sourceOf(x), price, x.Fee, x.FeePayer, x.Signature, x.Slot, x.Time.Unix(), nft.To, nft.From, nft.Mint)
}

// saleOf returns the transfer of the NFT that x sells, nil for none, and the seller's price.
func saleOf(w *world.World, x *world.Transaction) (nft *world.Transfer, price uint64) {
	if x.Kind != "NFT_SALE" {
		return nil, 0
	}
	for _, t := range slices.Concat(x.Transfers, x.Given) {
		if w.Assets.Find(t.Mint) != nil {
			nft = &t
		}
	}
	for _, t := range x.Transfers {
		if nft != nil && t.Mint == world.SOL && t.From == nft.To {
			price += t.Raw
		}
	}
	return nft, price
}
