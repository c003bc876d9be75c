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
)

// A probe calls an operation with arguments that earlier responses told.
type probe struct {
	method string
	golden string // of the row, where the method has several; empty means the first one
	call   func(context.Context, *survey) error
}

// A known holds the first value of each kind that responses told. Its slot is the newest one,
// which may have no block; its block is a slot with a block.
type known map[string]any

// learn adds the data of a response, unless it is nothing.
func (k known) learn(name string, told any) {
	if _, before := k[name]; !before && !reflect.ValueOf(told).IsZero() {
		k[name] = told
	}
}

// the is an argument: a value known by a name.
type the string

// asked returns the probe of a method that has one response. One argument is enough for a list.
func asked(method string, args ...any) probe {
	return probe{method, "", func(ctx context.Context, s *survey) error {
		in, err := s.arguments(args)
		if err != nil {
			return err
		}
		return s.same(unnoted(method, in...)(ctx, s.clients))
	}}
}

// arguments returns arguments with the known values.
func (s *survey) arguments(args []any) ([]any, error) {
	in := slices.Clone(args)
	for i, arg := range in {
		if name, ok := arg.(the); ok {
			in[i] = s.known[string(name)]
		}
		if in[i] == nil {
			return nil, errUnasked
		}
	}
	return in, nil
}

// told returns a probe that also learns values from the result.
func told[T any](p probe, tell func(known, T)) probe {
	call := p.call
	p.call = func(ctx context.Context, s *survey) error {
		s.tell = func(got any) {
			if got, ok := got.(T); ok {
				tell(s.known, got)
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

// listed returns the probe of a listing. It reads two pages, and again from the cursor of the
// first page, which must bring the second page again.
func listed(method string, args ...any) probe {
	return probe{method, "", func(ctx context.Context, s *survey) error {
		first, all := ofWallets(nil), []types.Address{""}
		if len(args) > 0 {
			if f, ok := args[0].(ofWallets); ok {
				first, all = f, s.wallets
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

func tellSignature(k known, s *rpc.SignatureInfo) {
	if s.TransactionError == nil {
		k.learn("signature", s.Signature)
	}
	if !s.BlockTime.IsZero() {
		k.learn("block", s.Slot)
		k.learn("later block", s.Slot+10)
	}
}

func tellAsset(k known, a *das.Asset) {
	k.learn("asset", a.ID)
	if a.Compression.Compressed && !a.Burnt {
		k.learn("proved", a.ID)
	}
	for _, g := range a.Grouping {
		if g.Key == das.GroupCollection {
			k.learn("collection", types.Address(g.Value))
		}
	}
	for _, creator := range a.Creators {
		k.learn("creator", creator.Address)
	}
	for _, authority := range a.Authorities {
		k.learn("authority", authority.Address)
	}
}

func tellCompressedToken(k known, a *compressed.TokenAccount) {
	k.learn("tokenHash", a.Account.Hash)
	k.learn("hash", a.Account.Hash)
	k.learn("tokenMint", a.TokenData.Mint)
}

// probes returns the calls. A call whose result has arguments for others comes first. A
// method that takes only options is called as its row says.
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
		assets("das.Client.SearchAssets", das.SearchFilter{Agent: das.FlagYes}),
		assets("das.Client.AssetsByGroup", das.GroupCollection, the("collection")),
		assets("das.Client.AssetsByCreator", the("creator")),
		assets("das.Client.AssetsByAuthority", the("authority")),
		asked("das.Client.Asset", the("asset")),
		asked("das.Client.Assets", the("asset")),
		asked("das.Client.Proof", the("proved")),
		{"das.Client.Proofs", "", func(ctx context.Context, s *survey) error {
			id, ok := s.known["proved"].(types.Address)
			if !ok {
				return errUnasked
			}
			list, err := s.clients.das.Proofs(ctx, []types.Address{id})
			if err != nil {
				return err
			}
			s.row.shape = nil // which has the arguments of the row
			return s.same(map[types.Address]*das.Proof{id: list[0]}, nil)
		}},
		asked("das.Client.Signatures", the("proved")),
		asked("das.Client.Editions", the("asset")),
		listed("das.Client.TokenAccounts", ofWallets(func(a types.Address) any { return das.TokenAccountsFilter{Owner: a} })),
	}
}

func compressedProbes() []probe {
	signatures := func(method string, args ...any) probe {
		return told(listed(method, args...), func(k known, s *compressed.SignatureInfo) { k.learn("compression", s.Signature) })
	}
	// the default is the largest: a smaller one loses accounts on some indexers
	pages := new(compressed.AccountsByOwnerOptions)
	if !*live {
		pages.Limit = 10
	}
	return []probe{
		told(listed("compressed.Client.AccountsByOwner", ofWallets(eachWallet), pages), func(k known, a *compressed.Account) {
			k.learn("hash", a.Hash)
			k.learn("address", a.Address)
		}),
		told(listed("compressed.Client.TokenAccountsByOwner", ofWallets(eachWallet)), tellCompressedToken),
		told(listed("compressed.Client.TokenAccountsByDelegate", ofWallets(eachWallet)), tellCompressedToken),
		listed("compressed.Client.TokenBalancesByOwner", ofWallets(eachWallet)),
		listed("compressed.Client.MintTokenHolders", the("tokenMint")),
		signatures("compressed.Client.SignaturesForOwner", ofWallets(eachWallet)),
		signatures("compressed.Client.SignaturesForTokenOwner", ofWallets(eachWallet)),
		signatures("compressed.Client.LatestCompressionSignatures"),
		signatures("compressed.Client.LatestNonVotingSignatures"),
		asked("compressed.Client.SignaturesForAddress", the("address")),
		asked("compressed.Client.SignaturesForAccount", the("hash")),
		asked("compressed.Client.Account", the("hash")),
		asked("compressed.Client.AccountByAddress", the("address")),
		asked("compressed.Client.Accounts", the("hash")),
		asked("compressed.Client.AccountsByAddress", the("address")),
		asked("compressed.Client.Balance", the("hash")),
		asked("compressed.Client.BalanceByAddress", the("address")),
		asked("compressed.Client.BalanceByOwner", the("wallet")),
		asked("compressed.Client.TokenAccountBalance", the("tokenHash")),
		asked("compressed.Client.AccountProof", the("hash")),
		asked("compressed.Client.AccountProofs", the("hash")),
		asked("compressed.Client.NewAddressProofs", []compressed.NewAddress{{Address: newAddress}}),
		asked("compressed.Client.ValidityProof", the("hash")),
		asked("compressed.Client.Transaction", the("compression")),
	}
}

func walletProbes() []probe {
	return []probe{
		listed("wallet.Client.Balances", the("wallet"), &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 10}, ShowNFTs: true}),
		listed("wallet.Client.History", ofWallets(eachWallet)),
		listed("wallet.Client.Transfers", ofWallets(eachWallet)),
		asked("wallet.Client.BalanceAt", the("wallet"), types.NativeSOLMint, wallet.AtTime(time.Now().AddDate(0, 0, -7))),
		asked("wallet.Client.Identity", exchange),
		asked("wallet.Client.Identities", []string{exchange, "toly.sol"}),
		asked("wallet.Client.FundedBy", the("wallet")),
	}
}
