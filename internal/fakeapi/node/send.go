package node

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// maxSent is the most bytes of a transaction.
const maxSent = 1232

// sentIn reads the transaction that is the first parameter.
func sentIn(c *wire.Call, text, encoding string) (x *world.Transaction, forged bool) {
	c.OneOf(encoding, "base58", "base64")
	decode := base58.Decode
	if encoding == "base64" {
		decode = base64.StdEncoding.DecodeString
	}
	const kind = "solana_transaction::versioned::VersionedTransaction"
	data, err := decode(text)
	if err != nil {
		c.Invalid("invalid %s encoding: %s", encoding, err)
	} else if len(data) > maxSent {
		c.Invalid("decoded %s too large: %d bytes (max: %d bytes)", kind, len(data), maxSent)
	}
	x, err = sent(data)
	forged = errors.Is(err, errForged)
	switch {
	case err != nil && !forged:
		c.Invalid("failed to deserialize %s: %s", kind, err)
	case len(x.Sent.Signatures) != x.Sent.Signers:
		c.Invalid("invalid transaction: Transaction failed to sanitize accounts offsets correctly")
	default:
		if twice := x.Priced(); twice > 0 {
			c.Invalid("invalid transaction: Transaction contains a duplicate instruction (%d) that is not allowed", twice)
		}
	}
	return x, forged
}

// sendTransaction executes a signed transaction.
func sendTransaction(c *wire.Call) []byte {
	var text string
	args := arguments(c, &text)
	var o struct {
		Encoding   string `json:"encoding"`
		Unchecked  bool   `json:"skipPreflight"`
		Commitment string `json:"preflightCommitment" oneof:"processed confirmed finalized"`
		Retries    *uint  `json:"maxRetries"`
		MinSlot    uint64 `json:"minContextSlot"`
	}
	c.Options(args, &o)
	slot := c.World.SlotOf(o.Commitment)
	c.Reached(o.MinSlot, slot)
	x, forged := sentIn(c, text, o.Encoding)
	if c.Refused != nil {
		return nil
	}
	earlier := c.World.Status(x.Signature)
	dropped := forged || earlier != nil || !world.IsRecent(x.Sent.Blockhash, c.World.SlotOf("processed"))
	if !o.Unchecked || !dropped {
		e := tried(c, x, slot, forged, o.Unchecked)
		dropped = dropped || !e.Charged
		if x.Failure != "" && !o.Unchecked {
			c.Refuse(&wire.Refusal{Code: -32002, Message: "Transaction simulation failed: " + x.Message(), Details: string(simulated(c, e, "null", nil, true))})
		}
	}
	if !dropped && c.Refused == nil {
		c.World.Land(x)
	}
	return world.Encode(x.Signature)
}

// tried executes a transaction without changing the world. Unless unchecked, it fails if the
// transaction is forged or was executed up to a slot, or if its blockhash is not recent there.
func tried(c *wire.Call, x *world.Transaction, slot uint64, forged, unchecked bool) *world.Execution {
	earlier := c.World.Status(x.Signature)
	switch {
	case unchecked:
	case forged:
		x.Failure = "SignatureFailure"
	case earlier != nil && earlier.Slot <= slot:
		x.Failure = "AlreadyProcessed"
	case !world.IsRecent(x.Sent.Blockhash, slot):
		x.Failure = "BlockhashNotFound"
	}
	if x.Failure != "" {
		return &world.Execution{Transaction: x}
	}
	e := c.World.Execute(x)
	if e.Foreign != "" {
		c.Invalid("the fake does not execute %s", e.Foreign)
	}
	return e
}

// simulateTransaction answers with the result that a transaction would have.
func simulateTransaction(c *wire.Call) []byte {
	var text string
	args := arguments(c, &text)
	var o struct {
		Encoding   string `json:"encoding"`
		Commitment string `json:"commitment"`
		Verify     bool   `json:"sigVerify"`
		Replace    bool   `json:"replaceRecentBlockhash"`
		Inner      bool   `json:"innerInstructions"`
		MinSlot    uint64 `json:"minContextSlot"`
		Accounts   *struct {
			Encoding  string   `json:"encoding"`
			Addresses []string `json:"addresses"`
		} `json:"accounts"`
	}
	c.Options(args, &o)
	slot := c.World.SlotOf(o.Commitment)
	c.Reached(o.MinSlot, slot)
	x, forged := sentIn(c, text, o.Encoding)
	if o.Verify && o.Replace {
		c.Invalid("sigVerify may not be used with replaceRecentBlockhash")
	}
	accounts := "null"
	var asked []string
	if o.Accounts != nil {
		asked, accounts = o.Accounts.Addresses, cmp.Or(o.Accounts.Encoding, "base64")
		c.OneOf(accounts, "base64", "base64+zstd", "jsonParsed")
	}
	if c.Refused != nil {
		return nil
	}
	if len(asked) > len(x.Sent.Keys) {
		c.Invalid("Too many accounts provided; max %d", len(x.Sent.Keys))
	}
	for _, address := range asked {
		checkSize(c, address, 32)
	}
	if o.Replace {
		x.Sent.Blockhash = world.Blockhash(slot)
	}
	value := simulated(c, tried(c, x, slot, forged && o.Verify, false), accounts, asked, false)
	if o.Replace {
		value = wire.Merge(value, world.JSON(`{"replacementBlockhash":?}`, blockhashOf(slot)))
	}
	if o.Inner && x.Failure == "" {
		value = wire.Merge(value, json.RawMessage(`{"innerInstructions":[]}`))
	}
	return inContext(slot, value)
}

// simulated returns the result of a simulation, with accounts in an encoding, null for none. A
// preflight has less.
func simulated(c *wire.Call, e *world.Execution, encoding string, asked []string, preflight bool) json.RawMessage {
	size := 0
	then := statesOf(e.Sent.Keys, [2]func(string) *view{
		func(key string) *view {
			v := viewOf(c.World, key, world.Never)
			size += 64 + len(cmp.Or(v, new(view)).data)
			return v
		},
		func(key string) *view { return viewAfter(c, e, key) },
	})
	var accounts, fee, loaded any
	if encoding != "null" {
		found := make([]json.RawMessage, len(asked))
		for i, address := range asked {
			if v := viewAfter(c, e, address); v != nil && e.Failure == "" {
				found[i] = v.encoded(config{Call: c, Encoding: encoding})
			}
		}
		accounts = found
	}
	balances := []any{then.Lamports[0], then.Lamports[1], then.texts(0), then.texts(1)}
	if preflight || e.Failure == "SignatureFailure" {
		balances = make([]any, len(balances))
	}
	if !preflight {
		loaded = json.RawMessage(`{"readonly":[],"writable":[]}`)
	}
	if e.Charged {
		fee = e.Fee
	} else {
		size = 0
	}
	return world.JSON(`{"accounts":?,"err":?,"fee":?,"innerInstructions":null,"loadedAccountsDataSize":?,"loadedAddresses":?,"logs":?,"postBalances":?,`+
		`"postTokenBalances":?,"preBalances":?,"preTokenBalances":?,"replacementBlockhash":null,"returnData":null,"unitsConsumed":?}`,
		accounts, e.Reason().Err, fee, size, loaded, e.Logs, balances[1], balances[3], balances[0], balances[2], unitsOf(e.Ran))
}

// unitsOf returns the compute units that instructions consume.
func unitsOf(instructions int) int { return 150 * instructions }

// viewAfter returns the account at an address after a simulation, nil if there is none.
func viewAfter(c *wire.Call, e *world.Execution, address string) *view {
	lamports, changed := e.Lamports(address)
	switch v := viewOf(c.World, address, world.Never); {
	case changed && lamports > 0:
		return &view{address: address, lamports: lamports, program: world.System}
	case changed || slices.Contains(e.ClosedAccounts, address):
		return nil
	case !e.Charged || v != nil && v.token == nil:
		return v
	}
	if a := e.TokenAccount(address); a != nil {
		return tokenView(a, nil)
	}
	return nil
}

// requestAirdrop sends SOL from the faucet of devnet.
func requestAirdrop(c *wire.Call) []byte {
	var lamports uint64
	address, _ := keyed(c, &lamports)
	if c.World.Network != types.NetworkDevnet {
		c.Fail(-32600, "Invalid request")
	}
	if c.Refused != nil {
		return nil
	}
	return world.Encode(c.World.Airdrop(address, lamports))
}

// feeForMessage answers with the fee of a message.
func feeForMessage(c *wire.Call) []byte {
	var text string
	o := configOf(c, arguments(c, &text))
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		c.Invalid("invalid base64 encoding")
		return nil
	}
	r := reader{rest: data}
	x, err := r.message()
	if err != nil {
		c.Invalid("failed to deserialize solana_message::versions::VersionedMessage: %s", err)
		return nil
	}
	x.Priced()
	if !world.IsRecent(x.Sent.Blockhash, o.slot) {
		return inContext(o.slot, nil)
	}
	return inContext(o.slot, x.Fee)
}
