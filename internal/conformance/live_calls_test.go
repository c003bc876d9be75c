package conformance_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"iter"
	"reflect"
	"slices"
	"time"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	parsedtypes "github.com/solwire/solwire-go/types/parsed"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/wallet"
	parsing "github.com/solwire/solwire-go/webhooks/enhanced"
)

// A probe calls an operation with arguments that earlier responses told.
type probe struct {
	method string
	golden string // of the row, where the method has several; empty means the first one
	call   func(context.Context, *survey) error
}

// A known is what responses told so far.
type known struct {
	wallets      []types.Address
	mint         types.Address
	tokenAccount types.Address
	signatures   []types.Signature
	slot         uint64 // the newest one, which may have no block
	block        uint64 // a slot that has one
	blockhash    types.Hash
	asset        types.Address
	proved       types.Address // a compressed asset
	collection   types.Address
	creator      types.Address
	authority    types.Address
	hash         types.Hash    // of a compressed account
	address      types.Address // of a compressed account
	tokenHash    types.Hash    // of a compressed token account
	tokenMint    types.Address // of compressed tokens
	compression  types.Signature
	vote         types.Address
	webhook      string
}

// learn sets what is known to the first value that a response tells.
func learn[T comparable](known *T, told T) {
	var none T
	if *known == none {
		*known = told
	}
}

// asked returns the probe of a method that has one response. An argument is a value, or a
// function of what is known; one of several is enough for a list.
func asked(method string, args ...any) probe {
	return probe{method, "", func(ctx context.Context, s *survey) error {
		in := slices.Clone(args)
		for i, arg := range in {
			if f := reflect.ValueOf(arg); f.Kind() == reflect.Func {
				told := f.Call([]reflect.Value{reflect.ValueOf(&s.known)})[0]
				if told.IsZero() {
					return errUnasked
				}
				in[i] = told.Interface()
			}
		}
		return s.same(calling(method, in...)(ctx, s.clients))
	}}
}

// of returns a call that has one response and needs an argument.
func of[A comparable, T any](arg func(*known) A, call func(context.Context, *clients, A) (T, error)) func(context.Context, *survey) error {
	return func(ctx context.Context, s *survey) error {
		var none A
		a := arg(&s.known)
		if a == none {
			return errUnasked
		}
		return s.same(resultOf(call(ctx, s.clients, a)))
	}
}

// listed returns a call that reads a listing for two pages, and once more from the cursor
// of the first page, which must bring the second page again. With several arguments, it
// reads the first listing that has items.
func listed[A comparable, T any](
	args func(*known) []A, list func(context.Context, *clients, A, string) types.List[T],
	sent func(*types.Page[T], error) (any, error), tell func(*known, *T),
) func(context.Context, *survey) error {
	return func(ctx context.Context, s *survey) error {
		var none A
		err := errUnasked
		for _, a := range args(&s.known) {
			if a == none {
				continue
			}
			var some bool
			some, err = twoPages(s, func(cursor string) iter.Seq2[*types.Page[T], error] { return list(ctx, s.clients, a, cursor).Pages() }, sent,
				func(p *types.Page[T]) (any, string) {
					for i := range p.Items {
						if tell != nil {
							tell(&s.known, &p.Items[i])
						}
					}
					return p.Items, p.Cursor
				})
			if some || err != nil {
				break
			}
		}
		return err
	}
}

// twoPages reads two pages, and the second one again. It reports whether the first has items.
func twoPages[P any](s *survey, pages func(cursor string) iter.Seq2[*P, error], sent func(*P, error) (any, error), items func(*P) (any, string)) (some bool, err error) {
	var second any
	after := ""
	n := 0
	for page, err := range pages("") {
		if err := s.same(sent(page, err)); err != nil {
			return some, err
		}
		list, cursor := items(page)
		if n++; n == 2 {
			second = list
			break
		}
		some, after = reflect.ValueOf(list).Len() > 0, cursor
	}
	if n < 2 {
		return some, nil
	}
	for page, err := range pages(after) {
		if err := s.same(sent(page, err)); err != nil {
			return some, err
		}
		list, _ := items(page)
		s.resumed(second, list)
		break
	}
	return some, nil
}

// only returns the arguments of a listing that has one.
func only[A any](arg func(*known) A) func(*known) []A {
	return func(k *known) []A { return []A{arg(k)} }
}

func allWallets(k *known) []types.Address { return k.wallets }

func ownWallet(k *known) types.Address { return k.wallets[0] }
func anySlot(k *known) uint64          { return k.slot }
func anyMint(k *known) types.Address   { return k.mint }
func aToken(k *known) types.Address    { return k.tokenAccount }
func anAsset(k *known) types.Address   { return k.asset }
func aHash(k *known) types.Hash        { return k.hash }

func aSignature(k *known) types.Signature {
	if len(k.signatures) == 0 {
		return ""
	}
	return k.signatures[0]
}

func tellSignature(k *known, s *rpc.SignatureInfo) {
	if s.Err == nil && len(k.signatures) < 3 {
		k.signatures = append(k.signatures, s.Signature)
	}
	if !s.BlockTime.IsZero() {
		learn(&k.block, s.Slot)
	}
}

func tellAsset(k *known, a *das.Asset) {
	learn(&k.asset, a.ID)
	if a.Compression.Compressed && !a.Burnt {
		learn(&k.proved, a.ID)
	}
	for _, g := range a.Grouping {
		if g.Key == das.GroupCollection {
			learn(&k.collection, types.Address(g.Value))
		}
	}
	for _, creator := range a.Creators {
		learn(&k.creator, creator.Address)
	}
	for _, authority := range a.Authorities {
		learn(&k.authority, authority.Address)
	}
}

func tellCompressedToken(k *known, a *compressed.TokenAccount) {
	learn(&k.tokenHash, a.Account.Hash)
	learn(&k.hash, a.Account.Hash)
	learn(&k.tokenMint, a.TokenData.Mint)
}

// probes returns the calls, those that tell arguments before those that need them. A method
// that takes only options is called as its row says.
func probes() []probe {
	all := slices.Concat(rpcProbes(), historyProbes(), dasProbes(), compressedProbes(), walletProbes())
	for _, r := range rows() {
		called := slices.ContainsFunc(all, func(p probe) bool { return p.method == r.method })
		if !called && !r.changes && r.minimal != nil && takesOptionsOnly(methodOf(r.method)) {
			all = append(all, probe{r.method, "", func(ctx context.Context, s *survey) error {
				got, err := r.minimal(ctx, s.clients)
				if got == nil {
					got = "ok" // of a health check
				}
				return s.same(got, err)
			}})
		}
	}
	return all
}

func takesOptionsOnly(_ reflect.Type, m reflect.Method) bool {
	for i := 2; i < m.Type.NumIn(); i++ { // after the receiver and the context
		if m.Type.In(i).Kind() != reflect.Pointer {
			return false
		}
	}
	return true
}

func rpcProbes() []probe {
	tokenFilter := rpc.ByProgram(types.TokenProgram)
	return []probe{
		{"rpc.Client.Slot", "", func(ctx context.Context, s *survey) error {
			slot, err := s.clients.rpc.Slot(ctx, nil)
			learn(&s.known.slot, slot)
			return s.same(resultOf(slot, err))
		}},
		{"rpc.Client.LatestBlockhash", "", func(ctx context.Context, s *survey) error {
			b, err := s.clients.rpc.LatestBlockhash(ctx, nil)
			if err != nil {
				return err
			}
			s.known.blockhash = b.Hash
			return s.same(rpc.Blockhash{Hash: b.Hash, LastValidBlockHeight: b.LastValidBlockHeight}, nil)
		}},
		{"rpc.Client.VoteAccounts", "", func(ctx context.Context, s *survey) error {
			v, err := s.clients.rpc.VoteAccounts(ctx, nil)
			if err == nil && len(v.Current) > 0 {
				s.known.vote = v.Current[0].Vote
			}
			return s.same(resultOf(v, err))
		}},
		{"rpc.Client.TokenAccountsByOwner", "", func(ctx context.Context, s *survey) error {
			page, err := s.clients.rpc.TokenAccountsByOwner(ctx, s.known.wallets[0], tokenFilter, nil).Page()
			if err == nil {
				for _, a := range page.Items {
					if info, err := a.Account.Data.TokenAccount(); err == nil && info.Mint != types.WrappedSOL {
						learn(&s.known.tokenAccount, a.Address)
						learn(&s.known.mint, info.Mint)
					}
				}
			}
			return s.same(typed(page, err))
		}},
		{"rpc.Client.TokenAccountsByDelegate", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, _ string) types.List[rpc.TokenAccount] {
			return c.rpc.TokenAccountsByDelegate(ctx, a, tokenFilter, nil)
		}, typed, nil)},
		asked("rpc.Client.IsBlockhashValid", func(k *known) types.Hash { return k.blockhash }),
		asked("rpc.Client.InflationRewards", func(k *known) types.Address { return k.vote }),
		asked("rpc.Client.RecentPrioritizationFees", ownWallet),
		{"rpc.Client.LeaderSchedule", "", func(ctx context.Context, s *survey) error {
			leader, err := s.clients.rpc.SlotLeader(ctx, nil)
			if err != nil {
				return err
			}
			return s.same(resultOf(s.clients.rpc.LeaderSchedule(ctx, &rpc.LeaderScheduleOptions{Identity: leader})))
		}},
		asked("rpc.Client.SlotLeaders", anySlot, 3),
		asked("rpc.Client.BlockCommitment", anySlot),
		asked("rpc.Client.RecentPerformanceSamples", 5),
		asked("rpc.Client.Balance", ownWallet),
		{"rpc.Client.Account", "", of(ownWallet, func(ctx context.Context, c *clients, a types.Address) (any, error) {
			account, err := c.rpc.Account(ctx, a, nil)
			return withoutSlot(account), err
		})},
		{"rpc.Client.Accounts", "", func(ctx context.Context, s *survey) error {
			if s.known.tokenAccount == "" {
				return errUnasked
			}
			all, err := s.clients.rpc.Accounts(ctx, []types.Address{s.known.wallets[0], s.known.tokenAccount, s.known.mint, types.TokenProgram}, nil)
			var sent []*rpc.Account
			for _, a := range all {
				sent = append(sent, withoutSlot(a))
			}
			return s.same(resultOf(sent, err))
		}},
		{"rpc.Client.ProgramAccounts", "", listed(func(*known) []types.Address { return []types.Address{types.TokenProgram} }, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[rpc.ProgramAccount] {
			return c.rpc.ProgramAccounts(ctx, a, &rpc.ProgramAccountsOptions{Filters: []types.Filter{types.TokenAccountState(), types.MemcmpAddress(32, walletKey)}, Limit: 10, Cursor: cursor})
		}, itemsOf, nil)},
		asked("rpc.Client.MinimumBalanceForRentExemption", 165),
		asked("rpc.Client.TokenAccountBalance", aToken),
		asked("rpc.Client.TokenSupply", anyMint),
		asked("rpc.Client.TokenLargestAccounts", anyMint),
	}
}

func historyProbes() []probe {
	transactions := func(e types.Encoding) func(context.Context, *survey) error {
		return of(aSignature, func(ctx context.Context, c *clients, sig types.Signature) (any, error) {
			t, err := c.rpc.Transaction(ctx, sig, &rpc.TransactionOptions{Encoding: e})
			return shownTx(t), err
		})
	}
	return []probe{
		{"rpc.Client.SignaturesForAddress", "rpc/getSignaturesForAddress-failed", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[rpc.SignatureInfo] {
			return c.rpc.SignaturesForAddress(ctx, a, &rpc.SignaturesForAddressOptions{Limit: 10, Cursor: cursor})
		}, itemsOf, tellSignature)},
		{"rpc.Client.TransactionSignaturesForAddress", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[rpc.SignatureInfo] {
			return c.rpc.TransactionSignaturesForAddress(ctx, a, &rpc.TransactionsForAddressOptions{Limit: 10, Cursor: cursor})
		}, itemsOf, tellSignature)},
		{"rpc.Client.TransactionsForAddress", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[tx.Transaction] {
			return c.rpc.TransactionsForAddress(ctx, a, &rpc.TransactionsForAddressOptions{Limit: 5, Cursor: cursor})
		}, shownTxs, nil)},
		{"rpc.Client.TransfersByAddress", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[rpc.Transfer] {
			return c.rpc.TransfersByAddress(ctx, a, &rpc.TransfersByAddressOptions{Limit: 10, Cursor: cursor})
		}, itemsOf, nil)},
		{"rpc.Client.Transaction", "", transactions(types.EncodingJSON)},
		{"rpc.Client.Transaction", "rpc/getTransaction-jsonParsed", transactions(types.EncodingJSONParsed)},
		{"rpc.Client.Transaction", "rpc/getTransaction-base64", transactions(types.EncodingBase64)},
		{"rpc.Client.Transactions", "", of(aSignature, func(ctx context.Context, c *clients, sig types.Signature) (any, error) {
			all, err := c.rpc.Transactions(ctx, []types.Signature{sig}, nil)
			if err != nil {
				return nil, err
			}
			return shownTx(all[0]), nil
		})},
		asked("rpc.Client.SignatureStatuses", aSignature, &rpc.SignatureStatusesOptions{WholeHistory: true}),
		{"rpc.Client.Block", "", of(blockSlot, func(ctx context.Context, c *clients, slot uint64) (any, error) {
			return shownBlock(c.rpc.Block(ctx, slot, nil))
		})},
		asked("rpc.Client.BlockTime", blockSlot),
		asked("rpc.Client.Blocks", blockSlot, func(k *known) uint64 { return k.block + 10 }),
		asked("rpc.Client.BlocksWithLimit", blockSlot, 5),
		{"rpc.Client.FeeForMessage", "", of(aSignature, func(ctx context.Context, c *clients, sig types.Signature) (uint64, error) {
			message, err := messageOf(ctx, c, sig)
			if err != nil {
				return 0, err
			}
			return c.rpc.FeeForMessage(ctx, message, nil)
		})},
		{"parsed.Client.Transactions", "", of(aSignature, func(ctx context.Context, c *clients, sig types.Signature) (any, error) {
			return shownResults(c.parsed.Transactions(ctx, []types.Signature{sig}, nil))
		})},
		{"parsed.Client.History", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[parsedtypes.Result] {
			return c.parsed.History(ctx, a, &parsed.HistoryOptions{Limit: 5, Cursor: cursor})
		}, shownPage, nil)},
		asked("enhanced.Client.Transactions", aSignature),
		{"enhanced.Client.History", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[enhanced.Transaction] {
			return c.enhanced.History(ctx, a, &parsing.HistoryOptions{Limit: 10, Cursor: cursor})
		}, itemsOf, nil)},
		{"webhooks.Client.Webhooks", "", func(ctx context.Context, s *survey) error {
			list, err := s.clients.webhooks.Webhooks(ctx)
			for _, w := range list {
				learn(&s.known.webhook, w.ID)
			}
			return s.same(shownAll(list, err))
		}},
		{"webhooks.Client.Get", "", of(func(k *known) string { return k.webhook }, func(ctx context.Context, c *clients, id string) (any, error) {
			return shown(c.webhooks.Get(ctx, id))
		})},
	}
}

func blockSlot(k *known) uint64 { return k.block }

// messageOf returns the message of a transaction, which follows its signatures.
func messageOf(ctx context.Context, c *clients, sig types.Signature) ([]byte, error) {
	t, err := c.rpc.Transaction(ctx, sig, &rpc.TransactionOptions{Encoding: types.EncodingBase64})
	if err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(t.Signed.Encoded)
	if err != nil || len(raw) == 0 || len(raw) <= 1+64*int(raw[0]) {
		return nil, errUnasked
	}
	return raw[1+64*int(raw[0]):], nil
}

func dasProbes() []probe {
	assets := func(args func(*known) []types.Address, list func(context.Context, *clients, types.Address, *das.AssetsOptions) types.ListOf[das.AssetPage, das.Asset]) func(context.Context, *survey) error {
		return func(ctx context.Context, s *survey) error {
			err := errUnasked
			for _, a := range args(&s.known) {
				if a == "" {
					continue
				}
				var some bool
				some, err = twoPages(s, func(cursor string) iter.Seq2[*das.AssetPage, error] {
					return list(ctx, s.clients, a, &das.AssetsOptions{Limit: 10, Cursor: cursor}).Pages()
				}, wiredAssets, func(p *das.AssetPage) (any, string) {
					for i := range p.Items {
						tellAsset(&s.known, &p.Items[i])
					}
					return p.Items, p.Cursor
				})
				if some || err != nil {
					break
				}
			}
			return err
		}
	}
	return []probe{
		{"das.Client.AssetsByOwner", "", assets(allWallets, func(ctx context.Context, c *clients, a types.Address, o *das.AssetsOptions) types.ListOf[das.AssetPage, das.Asset] {
			return c.das.AssetsByOwner(ctx, a, o)
		})},
		{"das.Client.SearchAssets", "", assets(allWallets, func(ctx context.Context, c *clients, a types.Address, o *das.AssetsOptions) types.ListOf[das.AssetPage, das.Asset] {
			return c.das.SearchAssets(ctx, das.SearchFilter{Owner: a}, o)
		})},
		{"das.Client.AssetsByGroup", "", assets(only(func(k *known) types.Address { return k.collection }), func(ctx context.Context, c *clients, a types.Address, o *das.AssetsOptions) types.ListOf[das.AssetPage, das.Asset] {
			return c.das.AssetsByGroup(ctx, das.GroupCollection, a, o)
		})},
		{"das.Client.AssetsByCreator", "", assets(only(func(k *known) types.Address { return k.creator }), func(ctx context.Context, c *clients, a types.Address, o *das.AssetsOptions) types.ListOf[das.AssetPage, das.Asset] {
			return c.das.AssetsByCreator(ctx, a, o)
		})},
		{"das.Client.AssetsByAuthority", "", assets(only(func(k *known) types.Address { return k.authority }), func(ctx context.Context, c *clients, a types.Address, o *das.AssetsOptions) types.ListOf[das.AssetPage, das.Asset] {
			return c.das.AssetsByAuthority(ctx, a, o)
		})},
		asked("das.Client.Asset", anAsset),
		asked("das.Client.Assets", anAsset),
		asked("das.Client.Proof", aProved),
		{"das.Client.Proofs", "", of(aProved, func(ctx context.Context, c *clients, a types.Address) (any, error) {
			list, err := c.das.Proofs(ctx, []types.Address{a})
			if err != nil {
				return nil, err
			}
			return map[types.Address]*das.Proof{a: list[0]}, nil
		})},
		{"das.Client.Signatures", "", of(aProved, func(ctx context.Context, c *clients, a types.Address) (any, error) {
			page, err := c.das.Signatures(ctx, a, nil).Page()
			if err != nil {
				return nil, err
			}
			pairs := [][2]string{}
			for _, s := range page.Items {
				pairs = append(pairs, [2]string{string(s.Signature), s.Operation})
			}
			return pairs, nil
		})},
		{"das.Client.Editions", "", of(anAsset, func(ctx context.Context, c *clients, a types.Address) (any, error) {
			page, err := c.das.Editions(ctx, a, nil).Page()
			return forms(func(_ string, body []byte) (any, error) {
				return wiredEditions(bytes.Contains(body, []byte(`"mint_address"`)))(page, err)
			}), err
		})},
		{"das.Client.TokenAccounts", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[das.TokenAccount] {
			return c.das.TokenAccounts(ctx, das.TokenAccountsFilter{Owner: a}, &das.TokenAccountsOptions{Limit: 10, Cursor: cursor})
		}, wiredAccounts, nil)},
	}
}

func aProved(k *known) types.Address { return k.proved }

func compressedProbes() []probe {
	signatures := func(list func(context.Context, *clients, types.Address, *compressed.ListingOptions) types.List[compressed.SignatureInfo]) func(context.Context, *survey) error {
		return listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[compressed.SignatureInfo] {
			return list(ctx, c, a, &compressed.ListingOptions{Limit: 10, Cursor: cursor})
		}, itemsOf, func(k *known, s *compressed.SignatureInfo) { learn(&k.compression, s.Signature) })
	}
	aTokenHash := func(k *known) types.Hash { return k.tokenHash }
	anAddress := func(k *known) types.Address { return k.address }
	return []probe{
		{"compressed.Client.AccountsByOwner", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[compressed.Account] {
			return c.compressed.AccountsByOwner(ctx, a, &compressed.AccountsByOwnerOptions{Cursor: cursor})
		}, accountItems, func(k *known, a *compressed.Account) {
			learn(&k.hash, a.Hash)
			learn(&k.address, a.Address)
		})},
		{"compressed.Client.TokenAccountsByOwner", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[compressed.TokenAccount] {
			return c.compressed.TokenAccountsByOwner(ctx, a, &compressed.TokenListingOptions{Limit: 10, Cursor: cursor})
		}, tokenItems, tellCompressedToken)},
		{"compressed.Client.TokenAccountsByDelegate", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[compressed.TokenAccount] {
			return c.compressed.TokenAccountsByDelegate(ctx, a, &compressed.TokenListingOptions{Limit: 10, Cursor: cursor})
		}, tokenItems, tellCompressedToken)},
		{"compressed.Client.TokenBalancesByOwner", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[compressed.TokenBalance] {
			return c.compressed.TokenBalancesByOwner(ctx, a, &compressed.TokenListingOptions{Limit: 10, Cursor: cursor})
		}, itemsOf, nil)},
		{"compressed.Client.MintTokenHolders", "", listed(only(func(k *known) types.Address { return k.tokenMint }), func(ctx context.Context, c *clients, m types.Address, cursor string) types.List[compressed.TokenHolder] {
			return c.compressed.MintTokenHolders(ctx, m, &compressed.ListingOptions{Limit: 10, Cursor: cursor})
		}, itemsOf, nil)},
		{"compressed.Client.SignaturesForOwner", "", signatures(func(ctx context.Context, c *clients, a types.Address, o *compressed.ListingOptions) types.List[compressed.SignatureInfo] {
			return c.compressed.SignaturesForOwner(ctx, a, o)
		})},
		{"compressed.Client.SignaturesForTokenOwner", "", signatures(func(ctx context.Context, c *clients, a types.Address, o *compressed.ListingOptions) types.List[compressed.SignatureInfo] {
			return c.compressed.SignaturesForTokenOwner(ctx, a, o)
		})},
		{"compressed.Client.LatestCompressionSignatures", "", signatures(func(ctx context.Context, c *clients, _ types.Address, o *compressed.ListingOptions) types.List[compressed.SignatureInfo] {
			return c.compressed.LatestCompressionSignatures(ctx, o)
		})},
		{"compressed.Client.LatestNonVotingSignatures", "", signatures(func(ctx context.Context, c *clients, _ types.Address, o *compressed.ListingOptions) types.List[compressed.SignatureInfo] {
			return c.compressed.LatestNonVotingSignatures(ctx, o)
		})},
		{"compressed.Client.SignaturesForAddress", "", of(anAddress, func(ctx context.Context, c *clients, a types.Address) (any, error) {
			return itemsOf(c.compressed.SignaturesForAddress(ctx, a, nil).Page())
		})},
		asked("compressed.Client.SignaturesForAccount", aHash),
		{"compressed.Client.Account", "", of(aHash, func(ctx context.Context, c *clients, h types.Hash) (any, error) {
			return anAccountOf(c.compressed.Account(ctx, h))
		})},
		{"compressed.Client.AccountByAddress", "", of(anAddress, func(ctx context.Context, c *clients, a types.Address) (any, error) {
			return anAccountOf(c.compressed.AccountByAddress(ctx, a))
		})},
		{"compressed.Client.Accounts", "", of(aHash, func(ctx context.Context, c *clients, h types.Hash) (any, error) {
			return accountsOf(c.compressed.Accounts(ctx, []types.Hash{h}))
		})},
		{"compressed.Client.AccountsByAddress", "", of(anAddress, func(ctx context.Context, c *clients, a types.Address) (any, error) {
			return accountsOf(c.compressed.AccountsByAddress(ctx, []types.Address{a}))
		})},
		asked("compressed.Client.Balance", aHash),
		asked("compressed.Client.BalanceByAddress", anAddress),
		asked("compressed.Client.BalanceByOwner", ownWallet),
		asked("compressed.Client.TokenAccountBalance", aTokenHash),
		{"compressed.Client.AccountProof", "", of(aHash, func(ctx context.Context, c *clients, h types.Hash) (any, error) {
			return proofOf(c.compressed.AccountProof(ctx, h))
		})},
		{"compressed.Client.AccountProofs", "", of(aHash, func(ctx context.Context, c *clients, h types.Hash) (any, error) {
			return proofsOf(c.compressed.AccountProofs(ctx, []types.Hash{h}))
		})},
		asked("compressed.Client.NewAddressProofs", []compressed.NewAddress{{Address: newAddress}}),
		{"compressed.Client.ValidityProof", "", of(aHash, func(ctx context.Context, c *clients, h types.Hash) (any, error) {
			v, err := c.compressed.ValidityProof(ctx, []types.Hash{h}, nil)
			if err != nil {
				return nil, err
			}
			return forms(func(wire string, _ []byte) (any, error) {
				if wire == "getValidityProof" {
					return validityV1(v), nil
				}
				return validityV2(v), nil
			}), nil
		})},
		{"compressed.Client.Transaction", "", of(func(k *known) types.Signature { return k.compression }, func(ctx context.Context, c *clients, s types.Signature) (any, error) {
			t, err := c.compressed.Transaction(ctx, s)
			if err != nil {
				return nil, err
			}
			return forms(func(wire string, _ []byte) (any, error) {
				if wire == "getTransactionWithCompressionInfo" {
					return transactionV1(t), nil
				}
				return transactionV2(t), nil
			}), nil
		})},
	}
}

func walletProbes() []probe {
	return []probe{
		{"wallet.Client.Balances", "", func(ctx context.Context, s *survey) error {
			_, err := twoPages(s, func(cursor string) iter.Seq2[*wallet.BalancePage, error] {
				return s.clients.wallet.Balances(ctx, s.known.wallets[0], &wallet.BalancesOptions{Limit: 10, ShowNFTs: true, Cursor: cursor}).Pages()
			}, listedBalances, func(p *wallet.BalancePage) (any, string) { return p.Items, p.Cursor })
			return err
		}},
		{"wallet.Client.History", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[wallet.Transaction] {
			return c.wallet.History(ctx, a, &wallet.HistoryOptions{Limit: 5, Cursor: cursor})
		}, itemsOf, nil)},
		{"wallet.Client.Transfers", "", listed(allWallets, func(ctx context.Context, c *clients, a types.Address, cursor string) types.List[wallet.Transfer] {
			return c.wallet.Transfers(ctx, a, &wallet.TransfersOptions{Limit: 5, Cursor: cursor})
		}, itemsOf, nil)},
		asked("wallet.Client.BalanceAt", ownWallet, types.NativeSOLMint, wallet.AtTime(time.Now().AddDate(0, 0, -7))),
		asked("wallet.Client.Identity", exchange),
		asked("wallet.Client.Identities", []string{exchange, "toly.sol"}),
		asked("wallet.Client.FundedBy", ownWallet),
	}
}
