package indexer

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"slices"
	"sort"

	"github.com/solwire/solwire-go/internal/fake/node"
	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// Methods are the methods of the indexer.
func Methods() map[string]wire.Operation {
	all := map[string]wire.Operation{
		"getCompressedBalance":                  balance,
		"getCompressedBalanceByOwner":           balanceByOwner,
		"getCompressedMintTokenHolders":         holders,
		"getCompressedTokenAccountBalance":      tokenBalance,
		"getCompressedTokenBalancesByOwner":     tokenBalancesByOwner("token_balances"),
		"getCompressedTokenBalancesByOwnerV2":   tokenBalancesByOwner("items"),
		"getCompressionSignaturesForAccount":    signaturesForAccount,
		"getCompressionSignaturesForAddress":    signatures("address", (*world.Compression).AddressSignatures),
		"getCompressionSignaturesForOwner":      signatures("owner", (*world.Compression).Signatures),
		"getCompressionSignaturesForTokenOwner": signatures("owner", (*world.Compression).TokenSignatures),
		"getIndexerHealth":                      func(*wire.Call) []byte { return []byte(`"ok"`) },
		"getIndexerSlot":                        func(c *wire.Call) []byte { return world.Encode(c.World.Slot()) },
		"getLatestCompressionSignatures":        signatures("", func(c *world.Compression, _ string) []*world.Transaction { return c.All() }),
		"getLatestNonVotingSignatures":          latestSignatures,
		"getValidityProof":                      validityProof,
		"getValidityProofV2":                    validityProofV2,
	}
	for name, of := range map[string]func(c *wire.Call, v2 bool) []byte{
		"getCompressedAccount":                 account,
		"getCompressedAccountProof":            proof,
		"getCompressedAccountsByOwner":         accountsByOwner,
		"getCompressedTokenAccountsByDelegate": tokenAccounts("delegate"),
		"getCompressedTokenAccountsByOwner":    tokenAccounts("owner"),
		"getMultipleCompressedAccountProofs":   proofs,
		"getMultipleCompressedAccounts":        accounts,
		"getMultipleNewAddressProofs":          newAddressProofs,
		"getTransactionWithCompressionInfo":    transaction,
	} {
		all[name] = func(c *wire.Call) []byte { return of(c, false) }
		all[name+"V2"] = func(c *wire.Call) []byte { return of(c, true) }
	}
	return all
}

// one reads the address or the hash of an account and returns the account, nil if it does not
// exist.
func one(c *wire.Call) *world.Found {
	p := c.Named("address", "hash")
	address, hash := p.Key("address", false), p.Key("hash", false)
	switch {
	case address != "":
		return c.World.Compressed.FindAddress(address)
	case hash == "":
		c.Fail(failed, "Validation Error: Either address or hash must be provided")
	}
	return c.World.Compressed.Find(hash)
}

// text returns an account as it is sent, null if it does not exist.
func text(x *world.Found, v2 bool) json.RawMessage {
	if x == nil {
		return wire.Null()
	}
	return appendAccount(nil, &x.Compressed, v2)
}

func account(c *wire.Call, v2 bool) []byte { return inContext(c, text(one(c), v2)) }

// items is a list that has no cursor.
func items(c *wire.Call, all []json.RawMessage) []byte {
	return inContext(c, world.JSON(`{"items":?}`, all))
}

func accounts(c *wire.Call, v2 bool) []byte {
	p := c.Named("hashes", "addresses")
	hashes, addresses := p.Keys("hashes"), p.Keys("addresses")
	if (hashes == nil) == (addresses == nil) {
		c.Fail(failed, "Validation Error: Either hashes or addresses must be provided")
	}
	var all []json.RawMessage
	for _, hash := range hashes {
		all = append(all, text(c.World.Compressed.Find(hash), v2))
	}
	for _, address := range addresses {
		all = append(all, text(c.World.Compressed.FindAddress(address), v2))
	}
	return items(c, all)
}

func balance(c *wire.Call) []byte {
	return inContext(c, cmp.Or(one(c), new(world.Found)).Lamports)
}

func balanceByOwner(c *wire.Call) []byte {
	return inContext(c, c.World.Compressed.Balance(c.Named("owner").Key("owner", true)))
}

func tokenBalance(c *wire.Call) []byte {
	return inContext(c, world.JSON(`{"amount":?}`, cmp.Or(one(c), new(world.Found)).Amount))
}

// nothing is the root of a tree that has not the account yet.
const nothing = "11111111111111111111111111111111"

// rootSeq is the number of changes of a tree whose root leads to a leaf. Each leaf has another
// root.
func rootSeq(leaf uint64) uint64 { return 5000 + leaf%1000 }

// rootIndex is the place of that root in the history of the tree.
func rootIndex(leaf uint64) uint64 { return rootSeq(leaf) % 2400 }

// rootOf returns the root of the proof of an account, with the nodes.
func rootOf(x *world.Found) (nodes []string, root string) {
	if x.Queued() {
		return nil, nothing
	}
	nodes = world.Path(x.Tree, x.Leaf, 26)
	return nodes, world.Root(x.Hash, x.Leaf, nodes)
}

// proofOf returns the proof of an account. An account in a queue has none.
func proofOf(x *world.Found, v2 bool) json.RawMessage {
	seq := rootSeq(x.Leaf)
	nodes, root := rootOf(x)
	if x.Queued() {
		seq = 0
	}
	more := world.JSON(`"merkleTree":?`, x.Tree)
	if v2 {
		more = world.JSON(`"proveByIndex":?,"treeContext":?`, x.Queued(), appendContext(nil, treeType(&x.Compressed), &x.Tree, x.Queue(), ""))
	}
	return world.JSON(`{"proof":?,"root":?,"leafIndex":?,"hash":?,"rootSeq":?,`+string(more)+`}`, nodes, root, x.Leaf, x.Hash, seq)
}

// proofsOf returns the proofs of accounts, all of which must be in the world.
func proofsOf(c *wire.Call, hashes []string, v2 bool) (all []json.RawMessage) {
	for i, hash := range hashes {
		x := c.World.Compressed.Find(hash)
		if x == nil || !v2 && x.Queued() || slices.Contains(hashes[:i], hash) {
			c.Fail(failed, "Record Not Found: Leaf nodes not found for hashes. Got %d hashes. Expected %d.", len(all), len(hashes))
			break
		}
		all = append(all, proofOf(x, v2))
	}
	return all
}

func proof(c *wire.Call, v2 bool) []byte {
	hash := c.Named("hash").Key("hash", true)
	if all := proofsOf(c, []string{hash}, v2); all != nil {
		return inContext(c, all[0])
	}
	return nil
}

// sequence reads parameters that are a list.
func sequence[T any](c *wire.Call) (all []T) {
	if json.Unmarshal(c.Params, &all) != nil {
		c.Invalid("invalid type: %s, expected a sequence", wire.Kind(c.Params))
	}
	return all
}

func proofs(c *wire.Call, v2 bool) []byte {
	hashes := sequence[string](c)
	c.CheckKeys(hashes...)
	return inContext(c, proofsOf(c, hashes, v2))
}

// A newAddress is an address that does not exist yet, with its tree.
type newAddress struct {
	Address string `json:"address"`
	Tree    string `json:"tree"`
}

// check refuses trees that do not exist, and addresses that do.
func (a newAddress) check(c *wire.Call) {
	c.CheckKeys(a.Address)
	switch {
	case a.Tree != world.AddressTree && a.Tree != world.AddressTreeV2:
		c.Fail(failed, "Invalid Public Key: field '%s'", a.Tree)
	case c.World.Compressed.FindAddress(a.Address) != nil:
		c.Fail(failed, "Validation Error: Address %s already exists", a.Address)
	}
}

func (a newAddress) proof() (nodes []string, root string) {
	height := 40
	if a.Tree == world.AddressTree {
		height = 26
	}
	return world.Path(a.Tree, 0, height), world.Node(a.Tree, height, 0)
}

// highestAddress is the end of the range of all addresses. It is below the prime of the hashes,
// as clients require.
const highestAddress = "361e3MVchvM8fSjCmeFqkj762JWttTA76tZXc3crLwVh"

func newAddressProofs(c *wire.Call, v2 bool) []byte {
	var wanted []newAddress
	if v2 {
		wanted = sequence[newAddress](c)
	} else {
		for _, address := range sequence[string](c) {
			wanted = append(wanted, newAddress{address, world.AddressTree})
		}
	}
	if len(wanted) == 0 {
		c.Fail(failed, "Validation Error: No addresses provided")
	}
	var all []json.RawMessage
	for _, a := range wanted {
		a.check(c)
		nodes, root := a.proof()
		all = append(all, world.JSON(`{"address":?,"lowerRangeAddress":?,"higherRangeAddress":?,"nextIndex":1,"lowElementLeafIndex":0,"proof":?,"root":?,"rootSeq":?,"merkleTree":?}`,
			a.Address, nothing, highestAddress, nodes, root, rootSeq(0), a.Tree))
	}
	return inContext(c, all)
}

const signature = `{"signature":?,"slot":?,"blockTime":?}`

func signaturesForAccount(c *wire.Call) []byte {
	x := c.World.Compressed.FindSpent(c.Named("hash").Key("hash", true))
	if x == nil {
		c.Fail(failed, "Record Not Found: Account not found")
		return nil
	}
	var all []json.RawMessage
	for _, x := range []*world.Transaction{x.Spent, x.Opened} {
		if x != nil {
			all = append(all, world.JSON(signature, x.Signature, x.Slot, x.Time.Unix()))
		}
	}
	return items(c, all)
}

// signatureCursor is the size of a cursor of signatures.
const signatureCursor = 72

// signatures lists transactions, newest first.
func signatures(name string, of func(c *world.Compression, key string) []*world.Transaction) func(*wire.Call) []byte {
	known := slices.DeleteFunc([]string{name, "cursor", "limit"}, func(name string) bool { return name == "" })
	return func(c *wire.Call) []byte {
		p := c.Named(known...)
		var key string
		if name != "" {
			key = p.Key(name, true)
		}
		cursor, list := cursorOf(p, signatureCursor), newPage(p, "items")
		last := new(world.Transaction)
		for _, x := range slices.Backward(upTo(of(c.World.Compressed, key), cursor)) {
			if !list.next() {
				break
			}
			list.out, last = world.AppendJSON(list.out, signature, x.Signature, x.Slot, x.Time.Unix()), x
		}
		return list.finish(numbered(last.Slot, world.Key(last.Signature)))
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
func latestSignatures(c *wire.Call) []byte {
	p := c.Named("cursor", "limit")
	cursor, limit := cursorOf(p, signatureCursor), p.Limit()
	var found []json.RawMessage
	all := upTo(c.World.Compressed.Latest(), cursor)
	for _, x := range slices.Backward(all[max(0, len(all)-limit):]) {
		found = append(found, world.JSON(`{"signature":?,"slot":?,"blockTime":?,"error":!}`, x.Signature, x.Slot, x.Time.Unix(), x.Failure))
	}
	return items(c, found)
}

// transaction answers with a transaction and the accounts that it closed and opened.
func transaction(c *wire.Call, v2 bool) []byte {
	p := c.Named("signature")
	signature, given := p.Text("signature")
	if !given {
		p.Invalid("missing field `signature`")
	}
	x := c.World.Transaction(signature)
	if x == nil {
		c.Fail(failed, internalError)
		return nil
	}
	item := func(a *world.Found, account json.RawMessage) json.RawMessage {
		var data json.RawMessage
		if a.Group.Mint != "" {
			data = appendTokenData(nil, &a.Compressed, a.Group)
		}
		return world.JSON(`{"account":?,"optionalTokenData":?}`, account, data)
	}
	var closed, opened []json.RawMessage
	for _, a := range c.World.Compressed.OpenedBy(x) {
		opened = append(opened, item(a, text(a, v2)))
	}
	for _, a := range x.Closed {
		account := text(a, v2)
		if v2 {
			account = world.JSON(`{"account":?,"nullifier":?,"txHash":?}`, account, world.Derived("nullifier"+a.Hash), world.Derived("spent"+x.Signature))
		}
		closed = append(closed, item(a, account))
	}
	return world.JSON(`{"compressionInfo":{"closedAccounts":?,"openedAccounts":?},"transaction":?}`,
		closed, opened, node.Text(c.World, x, node.Options{Encoding: "base64", Version: true}))
}

// zeroProof is a proof of no knowledge: made up, of the right sizes.
func zeroProof(seed string) json.RawMessage {
	s := world.Seeded(seed)
	numbers := func(n int) []int {
		all := make([]int, n)
		for i := range all {
			all[i] = s.Below(256)
		}
		return all
	}
	return world.JSON(`{"a":?,"b":?,"c":?}`, numbers(32), numbers(64), numbers(32))
}

// inputs reads the accounts and the new addresses of a validity proof.
func inputs(c *wire.Call, known ...string) (found []*world.Found, addresses []newAddress) {
	p := c.Named(known...)
	hashes := p.Keys("hashes")
	addresses, _ = wire.Member[[]newAddress](p, "newAddressesWithTrees", "a sequence")
	for _, address := range p.Keys("newAddresses") {
		addresses = append(addresses, newAddress{address, world.AddressTree})
	}
	for _, a := range addresses {
		a.check(c)
	}
	for _, hash := range hashes {
		x := c.World.Compressed.Find(hash)
		if x == nil {
			c.Fail(failed, "Validation Error: Not all requested account hashes exist, or some have been spent")
			break
		}
		found = append(found, x)
	}
	return found, addresses
}

func validityProof(c *wire.Call) []byte {
	found, addresses := inputs(c, "hashes", "newAddressesWithTrees", "newAddresses")
	if len(found)+len(addresses) == 0 {
		c.Fail(failed, "Validation Error: No hashes or new addresses provided for proof generation")
		return nil
	}
	var roots, leaves, trees []string
	var indices, places []uint64
	add := func(root string, place uint64, leaf, tree string) {
		roots, indices = append(roots, root), append(indices, rootIndex(place))
		places, leaves, trees = append(places, place), append(leaves, leaf), append(trees, tree)
	}
	for _, x := range found {
		_, root := rootOf(x)
		add(root, x.Leaf, x.Hash, x.Tree)
	}
	for _, a := range addresses {
		_, root := a.proof()
		add(root, 0, a.Address, a.Tree)
	}
	return inContext(c, world.JSON(`{"compressedProof":?,"roots":?,"rootIndices":?,"leafIndices":?,"leaves":?,"merkleTrees":?}`,
		zeroProof(leaves[0]), roots, indices, places, leaves, trees))
}

func validityProofV2(c *wire.Call) []byte {
	found, addresses := inputs(c, "hashes", "newAddressesWithTrees")
	const next = `,"nextTreeContext":null`
	var proof json.RawMessage
	var accounts, created []json.RawMessage
	for _, x := range found {
		_, root := rootOf(x)
		index := rootIndex(x.Leaf)
		if x.Queued() {
			index = 0
		} else {
			proof = zeroProof(x.Hash)
		}
		accounts = append(accounts, world.JSON(`{"hash":?,"root":?,"rootIndex":{"rootIndex":?,"proveByIndex":?},"leafIndex":?,"merkleContext":?}`,
			x.Hash, root, index, x.Queued(), x.Leaf, appendContext(nil, treeType(&x.Compressed), &x.Tree, x.Queue(), next)))
	}
	for _, a := range addresses {
		_, root := a.proof()
		kind := 2
		if a.Tree != world.AddressTree {
			kind = 4
		}
		created = append(created, world.JSON(`{"address":?,"root":?,"rootIndex":?,"merkleContext":?}`, a.Address, root, rootIndex(0), appendContext(nil, kind, &a.Tree, &a.Tree, next)))
		proof = zeroProof(a.Address)
	}
	return inContext(c, world.JSON(`{"compressedProof":?,"accounts":?,"addresses":?}`, proof, accounts, created))
}
