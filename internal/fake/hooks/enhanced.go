package hooks

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/solwire/solwire-go/internal/fake/node"
	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

type nativeTransfer struct {
	From   string `json:"fromUserAccount"`
	To     string `json:"toUserAccount"`
	Amount uint64 `json:"amount"`
}

type tokenTransfer struct {
	From        string      `json:"fromUserAccount"`
	To          string      `json:"toUserAccount"`
	FromAccount string      `json:"fromTokenAccount"`
	ToAccount   string      `json:"toTokenAccount"`
	Amount      json.Number `json:"tokenAmount"`
	Mint        string      `json:"mint"`
	Standard    string      `json:"tokenStandard"`
}

type rawAmount struct {
	Amount   string `json:"tokenAmount"`
	Decimals int    `json:"decimals"`
}

type tokenChange struct {
	Owner   string    `json:"userAccount"`
	Account string    `json:"tokenAccount"`
	Mint    string    `json:"mint"`
	Amount  rawAmount `json:"rawTokenAmount"`
}

type accountChange struct {
	Account string        `json:"account"`
	Native  json.Number   `json:"nativeBalanceChange"`
	Tokens  []tokenChange `json:"tokenBalanceChanges"`
}

type instruction struct {
	Accounts []string   `json:"accounts"`
	Data     string     `json:"data"`
	Program  string     `json:"programId"`
	Inner    []struct{} `json:"innerInstructions"`
}

// enhanced returns a transaction as enhanced webhooks and parsed histories have it.
func enhanced(w *world.World, x *world.Transaction) string {
	sent := struct {
		Description  string           `json:"description"`
		Type         string           `json:"type"`
		Source       string           `json:"source"`
		Fee          uint64           `json:"fee"`
		FeePayer     string           `json:"feePayer"`
		Signature    string           `json:"signature"`
		Slot         uint64           `json:"slot"`
		Timestamp    int64            `json:"timestamp"`
		Native       []nativeTransfer `json:"nativeTransfers"`
		Tokens       []tokenTransfer  `json:"tokenTransfers"`
		Accounts     []accountChange  `json:"accountData"`
		Err          json.RawMessage  `json:"transactionError"`
		Instructions []instruction    `json:"instructions"`
		Events       map[string]any   `json:"events"`
	}{
		Description: description(w, x), Type: x.Kind, Source: sourceOf(x), Fee: x.Fee, FeePayer: x.FeePayer, Signature: x.Signature,
		Slot: x.Slot, Timestamp: x.Time.Unix(), Native: []nativeTransfer{}, Tokens: []tokenTransfer{},
		Accounts: []accountChange{}, Err: wire.Null(), Instructions: []instruction{}, Events: map[string]any{},
	}
	if x.Failure != "" {
		sent.Err = world.Encode(map[string]string{"error": x.Failure})
	}
	for _, t := range x.Transfers {
		if t.Mint == world.SOL {
			sent.Native = append(sent.Native, nativeTransfer{t.From, t.To, t.Raw})
		} else {
			sent.Tokens = append(sent.Tokens, tokenText(w, t))
		}
	}
	for _, i := range node.Instructions(w, x) {
		sent.Instructions = append(sent.Instructions, instruction{i.Accounts, base58Of(i.Data), i.Program, []struct{}{}})
	}
	for _, wallet := range walletsOf(x) {
		sent.Accounts = append(sent.Accounts, changesOf(w, wallet, x)...)
	}
	if x.Kind == "SWAP" && len(x.Transfers) == 2 && x.Transfers[0].Mint != world.SOL && x.Transfers[1].Mint == world.SOL {
		sent.Events["swap"] = swapEvent(w, x.Transfers[0], x.Transfers[1])
	}
	return string(world.Encode(sent))
}

func tokenText(w *world.World, t world.Transfer) tokenTransfer {
	return tokenTransfer{
		t.From, t.To, w.AccountOf(t.From, t.Mint), w.AccountOf(t.To, t.Mint),
		world.Number(world.Units(t.Raw, w.Token(t.Mint).Decimals)), t.Mint, "Fungible",
	}
}

// walletsOf returns the wallets of a transaction, sorted.
func walletsOf(x *world.Transaction) []string {
	all := []string{x.FeePayer}
	for _, t := range x.Transfers {
		all = append(all, t.From, t.To)
	}
	for wallet := range x.Reach {
		all = append(all, wallet)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// changesOf returns the changes of a wallet: native SOL is in its own account, and each token
// in a token account.
func changesOf(w *world.World, wallet string, x *world.Transaction) []accountChange {
	own := accountChange{wallet, "0", []tokenChange{}}
	var all []accountChange
	txs := w.Wallet(wallet).Txs
	i := len(txs) - 1 // most often one of the latest
	for i >= 0 && txs[i].Transaction != x {
		i--
	}
	if i < 0 {
		return []accountChange{own}
	}
	for _, c := range txs[i].Changes {
		amount := strconv.FormatUint(c.By, 10)
		if c.Out {
			amount = "-" + amount
		}
		if c.Token.IsNative() {
			own.Native = json.Number(amount)
			continue
		}
		account := w.AccountOf(wallet, c.Token.Mint)
		all = append(all, accountChange{account, "0", []tokenChange{{wallet, account, c.Token.Mint, rawAmount{amount, c.Token.Decimals}}}})
	}
	return append([]accountChange{own}, all...)
}

// sourceOf returns the program that a transaction is of.
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
	amount := func(t world.Transfer) string {
		token := w.Token(t.Mint)
		return world.Text(t.Raw, token.Decimals) + " " + cmp.Or(token.Symbol, t.Mint)
	}
	switch {
	case x.Kind == "SWAP" && len(x.Transfers) == 2:
		in, out := x.Transfers[0], x.Transfers[1]
		if in.From != x.FeePayer {
			in, out = out, in
		}
		return x.FeePayer + " swapped " + amount(in) + " for " + amount(out)
	case x.Kind == "TRANSFER" && len(x.Transfers) == 1:
		t := x.Transfers[0]
		return t.From + " transferred " + amount(t) + " to " + t.To + "."
	}
	return ""
}

// swapEvent describes a swap of a token for SOL.
func swapEvent(w *world.World, in, out world.Transfer) any {
	type native struct {
		Account string `json:"account"`
		Amount  string `json:"amount"`
	}
	type program struct {
		Source      string `json:"source"`
		Account     string `json:"account"`
		Name        string `json:"programName"`
		Instruction string `json:"instructionName"`
	}
	type inner struct {
		In      []tokenTransfer `json:"tokenInputs"`
		Out     []tokenTransfer `json:"tokenOutputs"`
		Fees    []struct{}      `json:"tokenFees"`
		Natives []struct{}      `json:"nativeFees"`
		Program program         `json:"programInfo"`
	}
	token := w.Token(in.Mint)
	wrapped := tokenTransfer{From: out.From, To: out.To, Amount: world.Number(world.Units(out.Raw, 9)), Mint: world.WrappedSOL, Standard: "Fungible"}
	none := []struct{}{}
	return struct {
		NativeIn  *native       `json:"nativeInput"`
		NativeOut native        `json:"nativeOutput"`
		In        []tokenChange `json:"tokenInputs"`
		Out       []tokenChange `json:"tokenOutputs"`
		Fees      []struct{}    `json:"tokenFees"`
		Natives   []struct{}    `json:"nativeFees"`
		Swaps     []inner       `json:"innerSwaps"`
	}{
		nil,
		native{out.To, strconv.FormatUint(out.Raw, 10)},
		[]tokenChange{{in.From, w.AccountOf(in.From, in.Mint), in.Mint, rawAmount{strconv.FormatUint(in.Raw, 10), token.Decimals}}},
		[]tokenChange{},
		none, none,
		[]inner{{[]tokenTransfer{tokenText(w, in)}, []tokenTransfer{wrapped}, none, none, program{"ORCA", "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc", "ORCA_WHIRLPOOLS", "swap"}}},
	}
}
