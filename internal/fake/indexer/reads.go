package indexer

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"sort"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/node"
	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// Methods are the methods of the indexer.
func Methods() map[string]wire.Operation {
	return map[string]wire.Operation{
		"getCompressedAccount":                   account(false),
		"getCompressedAccountV2":                 account(true),
		"getCompressedAccountProof":              proof(false),
		"getCompressedAccountProofV2":            proof(true),
		"getCompressedAccountsByOwner":           accountsByOwner(false),
		"getCompressedAccountsByOwnerV2":         accountsByOwner(true),
		"getCompressedBalance":                   balance,
		"getCompressedBalanceByOwner":            balanceByOwner,
		"getCompressedMintTokenHolders":          holders,
		"getCompressedTokenAccountBalance":       tokenBalance,
		"getCompressedTokenAccountsByDelegate":   tokenAccountsByDelegate(false),
		"getCompressedTokenAccountsByDelegateV2": tokenAccountsByDelegate(true),
		"getCompressedTokenAccountsByOwner":      tokenAccountsByOwner(false),
		"getCompressedTokenAccountsByOwnerV2":    tokenAccountsByOwner(true),
		"getCompressedTokenBalancesByOwner":      tokenBalancesByOwner("token_balances"),
		"getCompressedTokenBalancesByOwnerV2":    tokenBalancesByOwner("items"),
		"getCompressionSignaturesForAccount":     signaturesForAccount,
		"getCompressionSignaturesForAddress":     signatures("address", signaturesForAddress),
		"getCompressionSignaturesForOwner":       signatures("owner", (*world.Compression).Signatures),
		"getCompressionSignaturesForTokenOwner":  signatures("owner", (*world.Compression).TokenSignatures),
		"getIndexerHealth":                       func(*wire.Call) ([]byte, *wire.Refusal) { return []byte(`"ok"`), nil },
		"getIndexerSlot":                         func(c *wire.Call) ([]byte, *wire.Refusal) { return world.Encode(c.World.Slot()), nil },
		"getLatestCompressionSignatures":         signatures("", func(c *world.Compression, _ string) []*world.Transaction { return c.All() }),
		"getLatestNonVotingSignatures":           latestSignatures,
		"getMultipleCompressedAccountProofs":     proofs(false),
		"getMultipleCompressedAccountProofsV2":   proofs(true),
		"getMultipleCompressedAccounts":          accounts(false),
		"getMultipleCompressedAccountsV2":        accounts(true),
		"getMultipleNewAddressProofs":            newAddressProofs(false),
		"getMultipleNewAddressProofsV2":          newAddressProofs(true),
		"getTransactionWithCompressionInfo":      transaction(false),
		"getTransactionWithCompressionInfoV2":    transaction(true),
		"getValidityProof":                       validityProof,
		"getValidityProofV2":                     validityProofV2,
	}
}

// inContext is a result with its slot.
func inContext(c *wire.Call, value any) []byte {
	type context struct {
		Slot uint64 `json:"slot"`
	}
	return world.Encode(struct {
		Context context `json:"context"`
		Value   any     `json:"value"`
	}{context{c.World.Slot()}, value})
}

// one reads the address or the hash of an account and returns the account, nil if it does not
// exist.
func one(c *wire.Call) (*world.Found, *wire.Refusal) {
	p := c.Named("address", "hash")
	address, hash := p.Key("address", false), p.Key("hash", false)
	switch {
	case p.Refused != nil:
		return nil, p.Refused
	case address != "":
		return c.World.Compressed.FindAddress(address), nil
	case hash == "":
		return nil, invalid("Either address or hash must be provided")
	}
	return c.World.Compressed.Find(hash), nil
}

// text returns an account as it is sent, null if it does not exist.
func text(x *world.Found, v2 bool) json.RawMessage {
	if x == nil {
		return wire.Null()
	}
	return appendAccount(nil, &x.Compressed, v2)
}

func account(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		x, refused := one(c)
		if refused != nil {
			return nil, refused
		}
		return inContext(c, text(x, v2)), nil
	}
}

func accounts(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		p := c.Named("hashes", "addresses")
		hashes, addresses := keys(p, "hashes"), keys(p, "addresses")
		switch {
		case p.Refused != nil:
			return nil, p.Refused
		case hashes != nil && addresses != nil && !v2:
			return nil, invalid("Cannot provide both hashes and addresses")
		case (hashes == nil) == (addresses == nil):
			return nil, invalid("Either hashes or addresses must be provided")
		}
		items := []json.RawMessage{}
		for _, hash := range hashes {
			items = append(items, text(c.World.Compressed.Find(hash), v2))
		}
		for _, address := range addresses {
			items = append(items, text(c.World.Compressed.FindAddress(address), v2))
		}
		return inContext(c, map[string]any{"items": items}), nil
	}
}

// keys reads a member that is a list of texts of 32 bytes, nil if it is absent.
func keys(p *wire.Params, name string) []string {
	if !p.Has(name) {
		return nil
	}
	all := []string{}
	if json.Unmarshal(p.Members[name], &all) != nil {
		p.Invalidf(name, "invalid type: %s, expected a sequence", wire.Kind(p.Members[name]))
	}
	p.Refuse(checkKeys(all))
	return all
}

func checkKeys(all []string) *wire.Refusal {
	if len(all) > 1000 {
		return invalid("Too many inputs. The maximum is 1000")
	}
	if i := slices.IndexFunc(all, func(key string) bool { return !world.IsAddress(key) }); i >= 0 {
		return wire.InvalidParams("Invalid Base58 string at line 1 column %d", i+2)
	}
	return nil
}

func balance(c *wire.Call) ([]byte, *wire.Refusal) {
	x, refused := one(c)
	if x == nil {
		return inContext(c, 0), refused
	}
	return inContext(c, x.Lamports), refused
}

func balanceByOwner(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named("owner")
	owner := p.Key("owner", true)
	return inContext(c, c.World.Compressed.Balance(owner)), p.Refused
}

func tokenBalance(c *wire.Call) ([]byte, *wire.Refusal) {
	x, refused := one(c)
	var amount uint64
	if x != nil {
		amount = x.Amount
	}
	return inContext(c, map[string]uint64{"amount": amount}), refused
}

// A merkleProof has the members of both versions.
type merkleProof struct {
	Proof   []string     `json:"proof"`
	Root    string       `json:"root"`
	Leaf    uint64       `json:"leafIndex"`
	Hash    string       `json:"hash"`
	Tree    string       `json:"merkleTree,omitempty"`
	Seq     uint64       `json:"rootSeq"`
	ByIndex *bool        `json:"proveByIndex,omitempty"`
	Context *treeContext `json:"treeContext,omitempty"`
}

type treeContext struct {
	Type  int     `json:"treeType"`
	Tree  string  `json:"tree"`
	Queue string  `json:"queue"`
	CPI   *string `json:"cpiContext"`
}

// nothing is the root of a tree that has not the account yet.
const nothing = "11111111111111111111111111111111"

// rootSeq is the number of changes of every tree, and rootIndex its place in the history.
const (
	rootSeq   = 5000
	rootIndex = rootSeq % 2400
)

// proofOf returns the proof of an account. An account in a queue has none.
func proofOf(x *world.Found, v2 bool) merkleProof {
	height, queued := 26, x.Queued()
	if queued {
		height = 32
	}
	m := merkleProof{Leaf: x.Leaf, Hash: string(x.Hash), Seq: rootSeq}
	m.Proof, m.Root = world.Proof(x.Tree, x.Leaf, height)
	if !v2 {
		m.Tree = x.Tree
		return m
	}
	m.ByIndex, m.Context = &queued, &treeContext{Type: treeType(&x.Compressed), Tree: x.Tree, Queue: x.Queue()}
	if queued {
		m.Proof, m.Root, m.Seq = []string{}, nothing, 0
	}
	return m
}

// proofsOf returns the proofs of accounts, all of which must be in the world.
func proofsOf(c *wire.Call, hashes []string, v2 bool) ([]merkleProof, *wire.Refusal) {
	all := []merkleProof{}
	for i, hash := range hashes {
		x := c.World.Compressed.Find(hash)
		if x == nil || !v2 && x.Queued() || slices.Contains(hashes[:i], hash) {
			return nil, unknownRecord("Leaf nodes not found for hashes. Got " + string(world.Encode(len(all))) + " hashes. Expected " + string(world.Encode(len(hashes))) + ".")
		}
		all = append(all, proofOf(x, v2))
	}
	return all, nil
}

func proof(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		p := c.Named("hash")
		hash := p.Key("hash", true)
		if p.Refused != nil {
			return nil, p.Refused
		}
		all, refused := proofsOf(c, []string{hash}, v2)
		if refused != nil {
			return nil, refused
		}
		return inContext(c, all[0]), nil
	}
}

func proofs(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		var hashes []string
		if json.Unmarshal(c.Params, &hashes) != nil {
			return nil, wire.InvalidParams("invalid type: %s, expected a sequence at line 1 column %d", wire.Kind(c.Params), len(c.Params))
		}
		if refused := checkKeys(hashes); refused != nil {
			return nil, refused
		}
		all, refused := proofsOf(c, hashes, v2)
		return inContext(c, all), refused
	}
}

// A newAddress is an address that does not exist yet, with its tree.
type newAddress struct {
	Address string `json:"address"`
	Tree    string `json:"tree"`
}

// check refuses trees that do not exist, and addresses that do.
func (a newAddress) check(c *wire.Call) *wire.Refusal {
	switch {
	case a.Tree != world.AddressTree && a.Tree != world.AddressTreeV2:
		return &wire.Refusal{Code: -32000, Message: "Invalid Public Key: field '" + a.Tree + "'"}
	case c.World.Compressed.FindAddress(a.Address) != nil:
		return invalid("Address %s already exists", a.Address)
	}
	return nil
}

func (a newAddress) height() int {
	if a.Tree == world.AddressTree {
		return 26
	}
	return 40
}

// highestAddress is the end of the range of all addresses. It is below the prime of the hashes,
// as clients require.
const highestAddress = "361e3MVchvM8fSjCmeFqkj762JWttTA76tZXc3crLwVh"

func newAddressProofs(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		var wanted []newAddress
		var plain []string
		if !v2 {
			if json.Unmarshal(c.Params, &plain) != nil {
				return nil, wire.InvalidParams("invalid type: %s, expected a sequence at line 1 column %d", wire.Kind(c.Params), len(c.Params))
			}
			for _, address := range plain {
				wanted = append(wanted, newAddress{address, world.AddressTree})
			}
		} else if json.Unmarshal(c.Params, &wanted) != nil {
			return nil, wire.InvalidParams("invalid type: %s, expected a sequence at line 1 column %d", wire.Kind(c.Params), len(c.Params))
		}
		if len(wanted) == 0 {
			return nil, invalid("No addresses provided")
		}
		type sent struct {
			Address string   `json:"address"`
			Lower   string   `json:"lowerRangeAddress"`
			Higher  string   `json:"higherRangeAddress"`
			Next    int      `json:"nextIndex"`
			Low     int      `json:"lowElementLeafIndex"`
			Proof   []string `json:"proof"`
			Root    string   `json:"root"`
			Seq     uint64   `json:"rootSeq"`
			Tree    string   `json:"merkleTree"`
		}
		var all []sent
		for _, a := range wanted {
			if refused := checkKeys([]string{a.Address}); refused != nil {
				return nil, refused
			}
			if refused := a.check(c); refused != nil {
				return nil, refused
			}
			s := sent{Address: a.Address, Lower: nothing, Higher: highestAddress, Next: 1, Seq: rootSeq, Tree: a.Tree}
			s.Proof, s.Root = world.Proof(a.Tree, 0, a.height())
			all = append(all, s)
		}
		return inContext(c, all), nil
	}
}

type sentSignature struct {
	Signature string  `json:"signature"`
	Slot      uint64  `json:"slot"`
	Time      int64   `json:"blockTime"`
	Err       *string `json:"error,omitempty"`
}

func signatureOf(x *world.Transaction) sentSignature {
	return sentSignature{Signature: x.Signature, Slot: x.Slot, Time: x.Time.Unix()}
}

func signaturesForAccount(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named("hash")
	hash := p.Key("hash", true)
	if p.Refused != nil {
		return nil, p.Refused
	}
	x := c.World.Compressed.FindSpent(hash)
	if x == nil {
		return nil, unknownRecord("Account not found")
	}
	items := []sentSignature{signatureOf(x.Opened)}
	if x.Spent != nil {
		items = append([]sentSignature{signatureOf(x.Spent)}, items...)
	}
	return inContext(c, map[string]any{"items": items}), nil
}

func signaturesForAddress(c *world.Compression, address string) []*world.Transaction {
	if x := c.FindAddress(address); x != nil {
		return []*world.Transaction{x.Opened}
	}
	return nil
}

// signatures lists transactions, newest first.
func signatures(name string, of func(c *world.Compression, key string) []*world.Transaction) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		known := []string{"cursor", "limit"}
		if name != "" {
			known = append([]string{name}, known...)
		}
		p := c.Named(known...)
		var key string
		if name != "" {
			key = p.Key(name, true)
		}
		cursor, limit := cursorOf(p, 72), p.Limit()
		if p.Refused != nil {
			return nil, p.Refused
		}
		all := upTo(of(c.World.Compressed, key), cursor)
		list := newPage(c, limit, "items", false)
		var last string
		for _, x := range slices.Backward(all) {
			if list.full() {
				break
			}
			list.next()
			list.out = append(list.out, world.Encode(signatureOf(x))...)
			last = base58.Encode(append(binary.LittleEndian.AppendUint64(nil, x.Slot), world.Key(x.Signature)...))
		}
		return list.finish(last), nil
	}
}

// upTo returns the transactions that are older than a cursor, a slot and a signature; all if it
// is empty.
func upTo(all []*world.Transaction, cursor string) []*world.Transaction {
	if cursor == "" {
		return all
	}
	slot := binary.LittleEndian.Uint64([]byte(cursor))
	return all[:sort.Search(len(all), func(i int) bool {
		x := all[i]
		return x.Slot > slot || x.Slot == slot && world.Key(x.Signature) >= cursor[8:]
	})]
}

// latestSignatures lists all transactions, newest first. Its pages have no cursor.
func latestSignatures(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named("cursor", "limit")
	cursor, limit := cursorOf(p, 72), p.Limit()
	if p.Refused != nil {
		return nil, p.Refused
	}
	type item struct {
		Signature string  `json:"signature"`
		Slot      uint64  `json:"slot"`
		Time      int64   `json:"blockTime"`
		Err       *string `json:"error"`
	}
	items := []item{}
	all := upTo(c.World.Compressed.Latest(), cursor)
	for _, x := range slices.Backward(all[max(0, len(all)-limit):]) {
		items = append(items, item{x.Signature, x.Slot, x.Time.Unix(), wire.OrNull(x.Failure)})
	}
	return inContext(c, map[string]any{"items": items}), nil
}

// transaction answers with a transaction and the accounts that it closed and opened.
func transaction(v2 bool) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		p := c.Named("signature")
		signature, given := p.Text("signature")
		if !given {
			p.Invalidf("", "missing field `signature`")
		}
		if p.Refused != nil {
			return nil, p.Refused
		}
		x := c.World.Transaction(signature)
		if x == nil {
			return nil, internalError()
		}
		var closed, opened []json.RawMessage
		item := func(a *world.Found, account json.RawMessage) json.RawMessage {
			data := wire.Null()
			if a.Group != nil {
				data = appendTokenData(nil, &a.Compressed, a.Group, a.I)
			}
			return world.JSON(`{"account":?,"optionalTokenData":?}`, account, data)
		}
		for _, a := range c.World.Compressed.OpenedBy(x) {
			opened = append(opened, item(a, text(a, v2)))
		}
		for _, a := range x.Closed {
			account := text(a, v2)
			if v2 {
				account = world.JSON(`{"account":?,"nullifier":?,"txHash":?}`, account, world.Derived("nullifier"+string(a.Hash)), world.Derived("spent"+x.Signature))
			}
			closed = append(closed, item(a, account))
		}
		return world.JSON(`{"compressionInfo":{"closedAccounts":?,"openedAccounts":?},"transaction":?}`,
			closed, opened, node.Text(c.World, x, node.Options{Encoding: "base64", Version: true})), nil
	}
}

// A zeroProof is a proof of no knowledge: made up, of the right sizes.
type zeroProof struct {
	A []int `json:"a"`
	B []int `json:"b"`
	C []int `json:"c"`
}

func newZeroProof(seed string) *zeroProof {
	s := world.Source(binary.LittleEndian.Uint64([]byte(world.Key(world.Derived(seed)))))
	numbers := func(n int) []int {
		all := make([]int, n)
		for i := range all {
			all[i] = s.Below(256)
		}
		return all
	}
	return &zeroProof{numbers(32), numbers(64), numbers(32)}
}

// inputs reads the accounts and the new addresses of a validity proof.
func inputs(c *wire.Call, known ...string) (found []*world.Found, addresses []newAddress, refused *wire.Refusal) {
	p := c.Named(known...)
	hashes := keys(p, "hashes")
	if p.Has("newAddressesWithTrees") && json.Unmarshal(p.Members["newAddressesWithTrees"], &addresses) != nil {
		p.Invalidf("newAddressesWithTrees", "invalid type: %s, expected a sequence", wire.Kind(p.Members["newAddressesWithTrees"]))
	}
	for _, address := range keys(p, "newAddresses") {
		addresses = append(addresses, newAddress{address, world.AddressTree})
	}
	for _, a := range addresses {
		p.Refuse(checkKeys([]string{a.Address}))
		p.Refuse(a.check(c))
	}
	for _, hash := range hashes {
		x := c.World.Compressed.Find(hash)
		if x == nil {
			p.Refuse(invalid("Not all requested account hashes exist, or some have been spent"))
		}
		found = append(found, x)
	}
	return found, addresses, p.Refused
}

func validityProof(c *wire.Call) ([]byte, *wire.Refusal) {
	found, addresses, refused := inputs(c, "hashes", "newAddressesWithTrees", "newAddresses")
	if refused == nil && len(found)+len(addresses) == 0 {
		refused = invalid("No hashes or new addresses provided for proof generation")
	}
	if refused != nil {
		return nil, refused
	}
	var sent struct {
		Proof       *zeroProof `json:"compressedProof"`
		Roots       []string   `json:"roots"`
		RootIndices []uint64   `json:"rootIndices"`
		LeafIndices []uint64   `json:"leafIndices"`
		Leaves      []string   `json:"leaves"`
		Trees       []string   `json:"merkleTrees"`
	}
	add := func(root string, leafIndex uint64, leaf, tree string) {
		sent.Roots, sent.RootIndices = append(sent.Roots, root), append(sent.RootIndices, rootIndex)
		sent.LeafIndices, sent.Leaves, sent.Trees = append(sent.LeafIndices, leafIndex), append(sent.Leaves, leaf), append(sent.Trees, tree)
	}
	for _, x := range found {
		add(proofOf(x, false).Root, x.Leaf, string(x.Hash), x.Tree)
	}
	for _, a := range addresses {
		_, root := world.Proof(a.Tree, 0, a.height())
		add(root, 0, a.Address, a.Tree)
	}
	sent.Proof = newZeroProof(sent.Leaves[0])
	return inContext(c, sent), nil
}

func validityProofV2(c *wire.Call) ([]byte, *wire.Refusal) {
	found, addresses, refused := inputs(c, "hashes", "newAddressesWithTrees")
	if refused != nil {
		return nil, refused
	}
	type context struct {
		treeContext
		Next *treeContext `json:"nextTreeContext"`
	}
	type index struct {
		Index   uint64 `json:"rootIndex"`
		ByIndex bool   `json:"proveByIndex"`
	}
	type accountInput struct {
		Hash    string  `json:"hash"`
		Root    string  `json:"root"`
		Index   index   `json:"rootIndex"`
		Leaf    uint64  `json:"leafIndex"`
		Context context `json:"merkleContext"`
	}
	type addressInput struct {
		Address string  `json:"address"`
		Root    string  `json:"root"`
		Index   uint64  `json:"rootIndex"`
		Context context `json:"merkleContext"`
	}
	sent := struct {
		Proof     *zeroProof     `json:"compressedProof"`
		Accounts  []accountInput `json:"accounts"`
		Addresses []addressInput `json:"addresses"`
	}{nil, []accountInput{}, []addressInput{}}
	for _, x := range found {
		m := proofOf(x, true)
		in := accountInput{m.Hash, m.Root, index{rootIndex, x.Queued()}, m.Leaf, context{treeContext: *m.Context}}
		if x.Queued() {
			in.Index.Index = 0
		} else {
			sent.Proof = newZeroProof(m.Hash)
		}
		sent.Accounts = append(sent.Accounts, in)
	}
	for _, a := range addresses {
		_, root := world.Proof(a.Tree, 0, a.height())
		kind := 2
		if a.Tree != world.AddressTree {
			kind = 4
		}
		sent.Addresses = append(sent.Addresses, addressInput{a.Address, root, rootIndex, context{treeContext: treeContext{Type: kind, Tree: a.Tree, Queue: a.Tree}}})
		sent.Proof = newZeroProof(a.Address)
	}
	return inContext(c, sent), nil
}
