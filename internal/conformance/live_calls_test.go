package conformance_test

import (
	"context"
	"encoding/base64"
	"reflect"
	"slices"
	"time"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
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
		in, err := s.arguments(args)
		if err != nil {
			return err
		}
		return s.same(calling(method, in...)(ctx, s.clients))
	}}
}

// arguments returns arguments in which functions have told theirs.
func (s *survey) arguments(args []any) ([]any, error) {
	in := slices.Clone(args)
	for i, arg := range in {
		if f := reflect.ValueOf(arg); f.Kind() == reflect.Func {
			told := f.Call([]reflect.Value{reflect.ValueOf(&s.known)})[0]
			if told.IsZero() {
				return nil, errUnasked
			}
			in[i] = told.Interface()
		}
	}
	return in, nil
}

// told returns a probe that also tells what is known from the result.
func told[T any](p probe, tell func(*known, T)) probe {
	call := p.call
	p.call = func(ctx context.Context, s *survey) error {
		s.tell = func(got any) {
			if got, ok := got.(T); ok {
				tell(&s.known, got)
			}
		}
		defer func() { s.tell = nil }()
		return call(ctx, s)
	}
	return p
}

// ofWallets are the arguments of a listing that is read for each wallet until one has items.
type ofWallets func(types.Address) any

func eachWallet(a types.Address) any { return a }

// listed returns the probe of a listing that is read for two pages, and once more from the
// cursor of the first page, which must bring the second page again.
func listed(method string, args ...any) probe {
	return probe{method, "", func(ctx context.Context, s *survey) error {
		first, all := ofWallets(nil), []types.Address{""}
		if len(args) > 0 {
			if f, ok := args[0].(ofWallets); ok {
				first, all = f, s.known.wallets
			}
		}
		err := errUnasked
		for _, a := range all {
			in := slices.Clone(args)
			if first != nil {
				in[0] = first(a)
			}
			if in, err = s.arguments(in); err != nil {
				return err
			}
			var some bool
			if some, err = s.twoPages(ctx, method, in); some || err != nil {
				break
			}
		}
		return err
	}}
}

// twoPages reads two pages, and the second one again. It reports whether the first has items.
func (s *survey) twoPages(ctx context.Context, method string, args []any) (some bool, err error) {
	var set func(reflect.Value) // of the options, which may come last
	if n := len(args); n > 0 && reflect.ValueOf(args[n-1]).Kind() == reflect.Pointer {
		options := reflect.ValueOf(args[n-1]).Elem()
		set, args = func(o reflect.Value) { o.Set(options) }, args[:n-1]
	}
	var pages []reflect.Value
	read := func(cursor string, most int) error {
		list := s.clients.open(ctx, method, args, func(o reflect.Value) {
			if f := o.FieldByName("Limit"); f.IsValid() {
				f.SetInt(10)
			}
			if set != nil {
				set(o)
			}
			o.FieldByName("Cursor").SetString(cursor)
		})
		for page, e := range list.MethodByName("Pages").Call(nil)[0].Seq2() {
			if err, _ := reflect.TypeAssert[error](e); err != nil {
				return err
			}
			items := page.Elem().FieldByName("Items")
			for i := 0; s.tell != nil && i < items.Len(); i++ {
				s.tell(items.Index(i).Addr().Interface())
			}
			if err := s.same(compared{page.Interface(), items.Interface()}, nil); err != nil {
				return err
			}
			if pages = append(pages, page.Elem()); len(pages) == most {
				break
			}
		}
		return nil
	}
	if err = read("", 2); err == nil && len(pages) == 2 {
		if err = read(pages[0].FieldByName("Cursor").String(), 3); err == nil && len(pages) == 3 {
			s.resumed(pages[1].FieldByName("Items").Interface(), pages[2].FieldByName("Items").Interface())
		}
	}
	return len(pages) > 0 && pages[0].FieldByName("Items").Len() > 0, err
}

func ownWallet(k *known) types.Address { return k.wallets[0] }
func anySlot(k *known) uint64          { return k.slot }
func blockSlot(k *known) uint64        { return k.block }
func anyMint(k *known) types.Address   { return k.mint }
func aToken(k *known) types.Address    { return k.tokenAccount }
func anAsset(k *known) types.Address   { return k.asset }
func aProved(k *known) types.Address   { return k.proved }
func aHash(k *known) types.Hash        { return k.hash }
func inAccount(k *known) types.Address { return k.address } // of a compressed account

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
		told(asked("rpc.Client.Slot"), func(k *known, slot uint64) { k.slot = slot }),
		told(asked("rpc.Client.LatestBlockhash"), func(k *known, b *rpc.Blockhash) { k.blockhash = b.Hash }),
		told(asked("rpc.Client.VoteAccounts"), func(k *known, v *rpc.VoteAccounts) {
			if len(v.Current) > 0 {
				k.vote = v.Current[0].Vote
			}
		}),
		told(listed("rpc.Client.TokenAccountsByOwner", ownWallet, tokenFilter), func(k *known, a *rpc.TokenAccount) {
			if info, err := a.Account.Data.TokenAccount(); err == nil && info.Mint != types.WrappedSOL {
				learn(&k.tokenAccount, a.Address)
				learn(&k.mint, info.Mint)
			}
		}),
		listed("rpc.Client.TokenAccountsByDelegate", ofWallets(eachWallet), tokenFilter),
		asked("rpc.Client.IsBlockhashValid", func(k *known) types.Hash { return k.blockhash }),
		asked("rpc.Client.InflationRewards", func(k *known) types.Address { return k.vote }),
		asked("rpc.Client.RecentPrioritizationFees", ownWallet),
		{"rpc.Client.LeaderSchedule", "", func(ctx context.Context, s *survey) error {
			leader, err := s.clients.rpc.SlotLeader(ctx, nil)
			if err != nil {
				return err
			}
			return s.same(s.clients.rpc.LeaderSchedule(ctx, &rpc.LeaderScheduleOptions{Identity: leader}))
		}},
		asked("rpc.Client.SlotLeaders", anySlot, 3),
		asked("rpc.Client.BlockCommitment", anySlot),
		asked("rpc.Client.RecentPerformanceSamples", 5),
		asked("rpc.Client.Balance", ownWallet),
		asked("rpc.Client.Account", ownWallet),
		asked("rpc.Client.Accounts", func(k *known) []types.Address {
			if k.tokenAccount == "" {
				return nil
			}
			return []types.Address{k.wallets[0], k.tokenAccount, k.mint, types.TokenProgram}
		}),
		listed("rpc.Client.ProgramAccounts", types.TokenProgram,
			&rpc.ProgramAccountsOptions{Filters: []types.Filter{types.TokenAccountState(), types.MemcmpAddress(32, walletKey)}, Limit: 10}),
		asked("rpc.Client.MinimumBalanceForRentExemption", 165),
		asked("rpc.Client.TokenAccountBalance", aToken),
		asked("rpc.Client.TokenSupply", anyMint),
		asked("rpc.Client.TokenLargestAccounts", anyMint),
	}
}

func historyProbes() []probe {
	transaction := func(golden string, e types.Encoding) probe {
		p := asked("rpc.Client.Transaction", aSignature, &rpc.TransactionOptions{Encoding: e})
		p.golden = golden
		return p
	}
	signatures := told(listed("rpc.Client.SignaturesForAddress", ofWallets(eachWallet)), tellSignature)
	signatures.golden = "rpc/getSignaturesForAddress-failed"
	return []probe{
		signatures,
		told(listed("rpc.Client.TransactionSignaturesForAddress", ofWallets(eachWallet)), tellSignature),
		listed("rpc.Client.TransactionsForAddress", ofWallets(eachWallet)),
		listed("rpc.Client.TransfersByAddress", ofWallets(eachWallet)),
		transaction("", types.EncodingJSON),
		transaction("rpc/getTransaction-jsonParsed", types.EncodingJSONParsed),
		transaction("rpc/getTransaction-base64", types.EncodingBase64),
		asked("rpc.Client.Transactions", aSignature),
		asked("rpc.Client.SignatureStatuses", aSignature, &rpc.SignatureStatusesOptions{WholeHistory: true}),
		asked("rpc.Client.Block", blockSlot),
		asked("rpc.Client.BlockTime", blockSlot),
		asked("rpc.Client.Blocks", blockSlot, func(k *known) uint64 { return k.block + 10 }),
		asked("rpc.Client.BlocksWithLimit", blockSlot, 5),
		{"rpc.Client.FeeForMessage", "", func(ctx context.Context, s *survey) error {
			sig := aSignature(&s.known)
			if sig == "" {
				return errUnasked
			}
			message, err := messageOf(ctx, s.clients, sig)
			if err != nil {
				return err
			}
			return s.same(s.clients.rpc.FeeForMessage(ctx, message, nil))
		}},
		asked("parsed.Client.Transactions", aSignature),
		listed("parsed.Client.History", ofWallets(eachWallet)),
		asked("enhanced.Client.Transactions", aSignature),
		listed("enhanced.Client.History", ofWallets(eachWallet)),
		told(asked("webhooks.Client.Webhooks"), func(k *known, list []webhooks.Summary) {
			for _, w := range list {
				learn(&k.webhook, w.ID)
			}
		}),
		asked("webhooks.Client.Get", func(k *known) string { return k.webhook }),
	}
}

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
	assets := func(method string, args ...any) probe { return told(listed(method, args...), tellAsset) }
	return []probe{
		assets("das.Client.AssetsByOwner", ofWallets(eachWallet)),
		assets("das.Client.SearchAssets", ofWallets(func(a types.Address) any { return das.SearchFilter{Owner: a} })),
		assets("das.Client.AssetsByGroup", das.GroupCollection, func(k *known) types.Address { return k.collection }),
		assets("das.Client.AssetsByCreator", func(k *known) types.Address { return k.creator }),
		assets("das.Client.AssetsByAuthority", func(k *known) types.Address { return k.authority }),
		asked("das.Client.Asset", anAsset),
		asked("das.Client.Assets", anAsset),
		asked("das.Client.Proof", aProved),
		{"das.Client.Proofs", "", func(ctx context.Context, s *survey) error {
			id := aProved(&s.known)
			if id == "" {
				return errUnasked
			}
			list, err := s.clients.das.Proofs(ctx, []types.Address{id})
			if err != nil {
				return err
			}
			s.row.shape = nil // which has the arguments of the row
			return s.same(map[types.Address]*das.Proof{id: list[0]}, nil)
		}},
		asked("das.Client.Signatures", aProved),
		asked("das.Client.Editions", anAsset),
		listed("das.Client.TokenAccounts", ofWallets(func(a types.Address) any { return das.TokenAccountsFilter{Owner: a} })),
	}
}

func compressedProbes() []probe {
	signatures := func(method string, args ...any) probe {
		return told(listed(method, args...), func(k *known, s *compressed.SignatureInfo) { learn(&k.compression, s.Signature) })
	}
	return []probe{
		told(listed("compressed.Client.AccountsByOwner", ofWallets(eachWallet), &compressed.AccountsByOwnerOptions{}), func(k *known, a *compressed.Account) {
			learn(&k.hash, a.Hash)
			learn(&k.address, a.Address)
		}),
		told(listed("compressed.Client.TokenAccountsByOwner", ofWallets(eachWallet)), tellCompressedToken),
		told(listed("compressed.Client.TokenAccountsByDelegate", ofWallets(eachWallet)), tellCompressedToken),
		listed("compressed.Client.TokenBalancesByOwner", ofWallets(eachWallet)),
		listed("compressed.Client.MintTokenHolders", func(k *known) types.Address { return k.tokenMint }),
		signatures("compressed.Client.SignaturesForOwner", ofWallets(eachWallet)),
		signatures("compressed.Client.SignaturesForTokenOwner", ofWallets(eachWallet)),
		signatures("compressed.Client.LatestCompressionSignatures"),
		signatures("compressed.Client.LatestNonVotingSignatures"),
		asked("compressed.Client.SignaturesForAddress", inAccount),
		asked("compressed.Client.SignaturesForAccount", aHash),
		asked("compressed.Client.Account", aHash),
		asked("compressed.Client.AccountByAddress", inAccount),
		asked("compressed.Client.Accounts", aHash),
		asked("compressed.Client.AccountsByAddress", inAccount),
		asked("compressed.Client.Balance", aHash),
		asked("compressed.Client.BalanceByAddress", inAccount),
		asked("compressed.Client.BalanceByOwner", ownWallet),
		asked("compressed.Client.TokenAccountBalance", func(k *known) types.Hash { return k.tokenHash }),
		asked("compressed.Client.AccountProof", aHash),
		asked("compressed.Client.AccountProofs", aHash),
		asked("compressed.Client.NewAddressProofs", []compressed.NewAddress{{Address: newAddress}}),
		asked("compressed.Client.ValidityProof", aHash),
		asked("compressed.Client.Transaction", func(k *known) types.Signature { return k.compression }),
	}
}

func walletProbes() []probe {
	return []probe{
		listed("wallet.Client.Balances", ownWallet, &wallet.BalancesOptions{Limit: 10, ShowNFTs: true}),
		listed("wallet.Client.History", ofWallets(eachWallet)),
		listed("wallet.Client.Transfers", ofWallets(eachWallet)),
		asked("wallet.Client.BalanceAt", ownWallet, types.NativeSOLMint, wallet.AtTime(time.Now().AddDate(0, 0, -7))),
		asked("wallet.Client.Identity", exchange),
		asked("wallet.Client.Identities", []string{exchange, "toly.sol"}),
		asked("wallet.Client.FundedBy", ownWallet),
	}
}
