package indexer

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"iter"
	"slices"
	"sort"

	"github.com/solwire/solwire-go/internal/fakeapi/node"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
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
		"getCompressionSignaturesForAddress":    signatures("address", func(x *world.Compressed) string { return x.Address }),
		"getCompressionSignaturesForOwner":      signatures("owner", func(x *world.Compressed) string { return x.Owner }),
		"getCompressionSignaturesForTokenOwner": signatures("owner", func(x *world.Compressed) string { return x.TokenOwner }),
		"getIndexerHealth":                      func(*wire.Call) []byte { return []byte(`"ok"`) },
		"getIndexerSlot":                        func(c *wire.Call) []byte { return world.Encode(c.World.Slot()) },
		"getLatestCompressionSignatures":        signatures("", func(*world.Compressed) string { return "" }),
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
func one(c *wire.Call) *world.Compressed {
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
	return inContext(c, cmp.Or(one(c), new(world.Compressed)).Lamports)
}

func balanceByOwner(c *wire.Call) []byte {
	sum := uint64(0)
	for x := range c.World.Compressed.Accounts(c.Named("owner").Key("owner", true), "") {
		sum += x.Lamports
	}
	return inContext(c, sum)
}

func tokenBalance(c *wire.Call) []byte {
	return inContext(c, world.JSON(`{"amount":?}`, cmp.Or(one(c), new(world.Compressed)).Amount))
}

// sequence reads parameters that are a list.
func sequence[T any](c *wire.Call) (all []T) {
	if json.Unmarshal(c.Params, &all) != nil {
		c.Invalid("invalid type: %s, expected a sequence", wire.Kind(c.Params))
	}
	return all
}

func (a newAddress) proof() (nodes []string, root string) {
	height := 40
	if a.Tree == world.AddressTree {
		height = 26
	}
	return world.Path(a.Tree, 0, height), world.Node(a.Tree, height, 0)
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

// signatures lists the transactions that opened or spent the accounts with a key, newest first.
func signatures(name string, of func(*world.Compressed) string) func(*wire.Call) []byte {
	known := slices.DeleteFunc([]string{name, "cursor", "limit"}, func(name string) bool { return name == "" })
	return func(c *wire.Call) []byte {
		p := c.Named(known...)
		var key string
		if name != "" {
			key = p.Key(name, true)
		}
		var items []json.RawMessage
		last, limit := new(world.Transaction), p.Limit()
		for _, x := range newest(p, c.World.Compressed.Signatures(key, of)) {
			items, last = append(items, world.JSON(signature, x.Signature, x.Slot, x.Time.Unix())), x
		}
		return page(c, "items", limit, items, numbered(last.Slot, world.Key(last.Signature)))
	}
}

// newest returns a page of transactions, newest first: before the cursor, a slot and a signature,
// if there is one.
func newest(p *wire.Params, all []*world.Transaction) iter.Seq2[int, *world.Transaction] {
	if cursor := cursorOf(p, signatureCursor); cursor != "" {
		slot := binary.LittleEndian.Uint64([]byte(cursor))
		all = all[:sort.Search(len(all), func(i int) bool {
			x := all[i]
			return x.Slot > slot || x.Slot == slot && world.Key(x.Signature) >= cursor[8:]
		})]
	}
	return slices.Backward(all[max(0, len(all)-p.Limit()):])
}

// latestSignatures lists all transactions, newest first. Its pages have no cursor.
func latestSignatures(c *wire.Call) []byte {
	p := c.Named("cursor", "limit")
	var found []json.RawMessage
	for _, x := range newest(p, world.InOrder(slices.Clone(c.World.Ledger))) {
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
	item := func(a *world.Compressed, account json.RawMessage) json.RawMessage {
		var data json.RawMessage
		if a.Group.Mint != "" {
			data = tokenData(a)
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
