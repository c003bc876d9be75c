package world

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/types"
)

// A deposit changes a holding of a wallet beside the transfers of a transaction: the rent of
// accounts, or tokens that are compressed.
type deposit struct {
	wallet, mint string
	in, out      uint64
}

// Happens reports whether the transaction that happens has no mistake so far.
func (b *Builder) Happens() bool { return b.err == nil }

// Happen adds the transaction that add builds to the newest processed block. Its random parts come
// from s. If it cannot happen, Happen returns the reason and changes nothing. The caller holds the
// lock.
func (w *World) Happen(s *Source, add func(*Builder)) (*Transaction, error) {
	b := &Builder{w: w, random: s, unique: map[string]bool{}}
	add(b)
	x := b.happening
	if b.Happens() {
		b.receive(x)
		b.err = b.possible(x)
	}
	if b.err != nil {
		return nil, b.err
	}
	if !x.Dropped {
		for _, apply := range b.applies {
			apply(x)
		}
	}
	w.Land(x)
	return x, nil
}

// receive adds to x the token accounts of wallets that receive a token for the first time. The
// fee payer pays for them.
func (b *Builder) receive(x *Transaction) {
	for _, t := range x.Transfers {
		token := b.w.Token(t.Mint)
		h := b.w.holding(b.w.wallet(t.To), token)
		address := associated(t.To, token)
		isNew := func(a *TokenAccount) bool { return a.Address == address }
		if token.IsNative() || slices.ContainsFunc(h.Accounts, (*TokenAccount).open) || slices.ContainsFunc(x.NewAccounts, isNew) {
			continue
		}
		x.NewAccounts = append(x.NewAccounts, &TokenAccount{Address: address, Token: token, Owner: t.To})
		x.deposits = append(x.deposits, deposit{x.FeePayer, SOL, 0, Rent(tokenAccountSize)})
	}
}

// possible returns a mistake if x cannot happen now, such as taking more from a wallet than the
// world says that it holds.
func (b *Builder) possible(x *Transaction) error {
	switch {
	case !x.At.IsZero():
		return errors.New("BlockTime is set, but what happens, happens now")
	case b.w.Status(x.Signature) != nil:
		return fmt.Errorf("signature %s is in an earlier transaction", x.Signature)
	}
	for _, f := range b.w.flows(x) {
		if f.Raw+f.In < f.Out && b.w.wallets[f.Owner].states(f.Holding) {
			return fmt.Errorf("%s holds %d of %s, which is less than %d, fees included", f.Owner, f.Raw, f.Token.Mint, f.Out)
		}
	}
	return nil
}

// write adds a changed account of a program to the transaction that happens. Without lamports, the
// account is closed. The fee payer pays the rent.
func (b *Builder) write(x *Transaction, a Account) {
	old := cmp.Or(b.w.stored[a.Address], new(Account))
	if a.Lamports == 0 && old.Lamports == 0 {
		b.failf("account %s cannot be closed, since it does not exist", a.Address)
		return
	}
	x.deposits = append(x.deposits, deposit{x.FeePayer, SOL, old.Lamports, a.Lamports})
	a.Program = cmp.Or(a.Program, old.Program)
	x.Written = append(x.Written, &a)
}

// give adds the transfer of a compressed NFT to the transaction that happens.
func (b *Builder) give(x *Transaction, a *Asset, l Leg) {
	if a.Owner != l.From || a.Burnt {
		b.failf("compressed NFT %s belongs to %s, not to %s", a.ID, a.Owner, l.From)
	}
	x.Instructions = append([]Instruction{{Program: string(types.BubblegumProgram), Accounts: []string{l.From, l.To, a.Tree}, Data: []byte{163, 52, 200, 231, 140, 3, 69, 186}}}, x.Instructions...)
	x.Given = append(x.Given, Transfer{l.From, l.To, a.ID, 1})
	b.applies = append(b.applies, func(x *Transaction) {
		a.Later = append(a.Later, AssetEvent{x, a, "Transfer"})
		a.give(l.To)
	})
}

// give changes the owner of an asset.
func (a *Asset) give(owner string) { a.Owner, a.Delegate = owner, "" }

// Spend adds a spent compressed account to the transaction that happens.
func (b *Builder) Spend(hash string) {
	b.Once("SpentHashes", hash)
	spent := b.w.Compressed.Find(hash)
	if spent == nil {
		b.failf("no compressed account has the hash %q", hash)
		return
	}
	x := b.happening
	x.Closed = append(x.Closed, spent)
	if mint := spent.Group.Mint; mint != "" {
		x.deposits = append(x.deposits, deposit{PoolOwner, mint, 0, spent.Amount})
	}
	b.applies = append(b.applies, func(x *Transaction) { spent.Spent = x })
}

// open adds a new compressed account to the transaction that happens.
func (b *Builder) open(group *Group, account Compressed) {
	if b.w.Compressed.FindSpent(account.Hash) != nil {
		b.failf("hash %q is in use", account.Hash)
	}
	b.applies = append(b.applies, func(x *Transaction) {
		account.Opened = x
		group.add(account)
	})
}
