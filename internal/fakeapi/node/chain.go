package node

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	answers "github.com/solwire/solwire-go/internal/golden/rpc"
	"github.com/solwire/solwire-go/types"
)

// Methods are the methods of a node and of the service's node extensions.
func Methods() map[string]wire.Operation {
	all := map[string]wire.Operation{
		"getAccountInfo":              accountInfo,
		"getBalance":                  balance,
		"getMultipleAccounts":         multipleAccounts,
		"getProgramAccounts":          programAccounts,
		"getProgramAccountsV2":        programAccountsV2,
		"getTokenAccountBalance":      tokenAccountBalance,
		"getTokenAccountsByDelegate":  tokenAccountsBy("delegate"),
		"getTokenAccountsByOwner":     tokenAccountsBy("owner"),
		"getTokenAccountsByOwnerV2":   tokenAccountsByOwnerV2,
		"getLargestAccounts":          largestWallets,
		"getRecentPerformanceSamples": performanceSamples,
		"getTokenLargestAccounts":     largestAccounts,
		"getTokenSupply":              supply,
		"getSignatureStatuses":        signatureStatuses,
		"getSignaturesForAddress":     signaturesForAddress,
		"getTransaction":              transaction,
		"getTransactionsForAddress":   transactionsForAddress,
		"getTransfersByAddress":       transfersByAddress,

		"getBlock":                          block,
		"getBlockHeight":                    ofSlot(func(slot uint64) []byte { return world.Encode(world.Height(slot)) }),
		"getBlockTime":                      blockTimeOf,
		"getBlocks":                         blocks(false),
		"getBlocksWithLimit":                blocks(true),
		"getEpochInfo":                      ofSlot(epochInfo),
		"getFeeForMessage":                  feeForMessage,
		"getInflationReward":                inflationRewards,
		"getLatestBlockhash":                ofSlot(func(slot uint64) []byte { return inContext(slot, blockhashOf(slot)) }),
		"getMaxRetransmitSlot":              newestSlot,
		"getMaxShredInsertSlot":             newestSlot,
		"getMinimumBalanceForRentExemption": rentExemption,
		"getPriorityFeeEstimate":            priorityFeeEstimate,
		"getRecentPrioritizationFees":       prioritizationFees,
		"getSlot":                           ofSlot(func(slot uint64) []byte { return world.Encode(slot) }),
		"getSupply":                         chainSupply,
		"getTransactionCount":               ofSlot(func(slot uint64) []byte { return world.Encode(world.TransactionCount(slot)) }),
		"isBlockhashValid":                  isBlockhashValid,
		"requestAirdrop":                    requestAirdrop,
		"sendTransaction":                   sendTransaction,
		"simulateTransaction":               simulateTransaction,
		"getGenesisHash":                    genesisHash,
	}
	// Facts of the chain, which are the same in every world but for some numbers: captured answers.
	for _, name := range []string{
		"getBlockProduction", "getEpochSchedule", "getHighestSnapshotSlot", "getInflationRate", "getVoteAccounts", "getBlockCommitment", "getClusterNodes", "getFirstAvailableBlock", "getHealth", "getIdentity", "getInflationGovernor",
		"getSlotLeader", "getSlotLeaders", "getStakeMinimumDelegation", "getVersion", "minimumLedgerSlot",
	} {
		all[name] = captured(name)
	}
	all["getLeaderSchedule"] = leaderSchedule
	return all
}

func genesisHash(c *wire.Call) []byte {
	if c.World.Network == types.NetworkDevnet {
		return world.Encode(types.DevnetGenesisHash)
	}
	return world.Encode(types.MainnetGenesisHash)
}

// captured answers with the captured answer of a method, with the numbers of the world in it.
func captured(name string) wire.Operation {
	members, _ := wire.Object(answers.Of(name))
	return func(c *wire.Call) []byte {
		result := members["result"]
		for member, n := range numbers(c.World)[name] {
			result = regexp.MustCompile(`"`+member+`":\d+`).ReplaceAll(result, fmt.Appendf(nil, `"%s":%d`, member, n))
		}
		return bytes.ReplaceAll(result, []byte(`"4.2.2"`), world.Encode(version))
	}
}

// leaderSchedule answers with the captured schedule, or the slots of one leader in it.
func leaderSchedule(c *wire.Call) []byte {
	args := c.List()
	if len(args) > 0 && wire.Kind(args[0]) != "map" { // a slot, or null
		args = args[1:]
	}
	var o struct {
		Commitment string `json:"commitment"`
		Identity   string `json:"identity"`
		ByVote     bool   `json:"keyByVoteAccount"` // without effect
	}
	c.Options(args, &o)
	all := captured("getLeaderSchedule")(c)
	if o.Identity == "" {
		return all
	}
	checkSize(c, o.Identity, 32)
	leaders, _ := wire.Object(all)
	slots := leaders[o.Identity]
	if slots == nil && !c.Agave42 {
		c.Fail(-32022, "No leader slots for the identity")
	}
	return world.JSON(`{?:~}`, o.Identity, slots)
}

// encodingOptions say how transactions are encoded.
type encodingOptions struct {
	Encoding   string `json:"encoding"                       oneof:"json jsonParsed base58 base64"`
	MaxVersion *int   `json:"maxSupportedTransactionVersion"`
}

// text returns a transaction as it is sent. It refuses a later version than the client reads.
func (o *encodingOptions) text(c *wire.Call, x *world.Transaction, as Options) json.RawMessage {
	as.Encoding, as.Version = o.Encoding, true
	if x.Sent != nil {
		if n, err := strconv.Atoi(x.Sent.Version); err == nil && (o.MaxVersion == nil || n > *o.MaxVersion) {
			c.Fail(-32015, "Transaction version (%d) is not supported by the requesting client. Please try the request again with "+
				"the following configuration parameter: \"maxSupportedTransactionVersion\": %[1]d", n)
		}
	}
	return Text(c.World, x, as)
}

// numbers are the members of captured answers that follow from the world.
func numbers(w *world.World) map[string]map[string]uint64 {
	slot := w.Slot()
	epoch, _ := world.Epoch(slot)
	return map[string]map[string]uint64{
		"getBlockProduction":     {"slot": slot, "firstSlot": slot - 2, "lastSlot": slot},
		"getEpochSchedule":       {"slotsPerEpoch": world.SlotsPerEpoch, "leaderScheduleSlotOffset": world.SlotsPerEpoch},
		"getHighestSnapshotSlot": {"full": slot - slot%50_000},
		"getInflationRate":       {"epoch": epoch},
		"getVoteAccounts":        {"lastVote": w.SlotOf("processed"), "rootSlot": slot},
	}
}

// largestWallets answers with the twenty wallets with the most SOL. All of it circulates.
func largestWallets(c *wire.Call) []byte {
	o := configOf(c, arguments(c))
	holds := func(address string) uint64 { return c.World.Wallet(address).Has(world.SOL) }
	all := c.World.Wallets()
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(holds(b), holds(a)), cmp.Compare(a, b)) })
	var sent []json.RawMessage
	for _, address := range all[:min(len(all), 20)] {
		if o.Wallets != "nonCirculating" && holds(address) > 0 {
			sent = append(sent, world.JSON(`{"address":?,"lamports":?}`, address, holds(address)))
		}
	}
	return inContext(o.slot, sent)
}

// performanceSamples answers with one sample a minute, newest first.
func performanceSamples(c *wire.Call) []byte {
	const most, seconds = 720, 60
	count := uint64(most)
	if args := c.List(); len(args) > 0 && json.Unmarshal(args[0], &count) != nil || count > most {
		c.Invalid("Invalid limit; max %d", most)
		return nil
	}
	newest, each := c.World.Slot(), world.SlotsIn(seconds)
	var sent []json.RawMessage
	for i := range count {
		slot := newest - newest%each - i*each
		n := world.TransactionCount(slot) - world.TransactionCount(slot-each)
		sent = append(sent, world.JSON(`{"numNonVoteTransactions":?,"numSlots":?,"numTransactions":?,"samplePeriodSecs":60,"slot":?}`, n/3, each, n, slot))
	}
	return world.JSON("?", sent)
}

// ofSlot answers with a value that follows from the newest slot.
func ofSlot(of func(slot uint64) []byte) func(*wire.Call) []byte {
	return func(c *wire.Call) []byte { return of(configOf(c, arguments(c)).slot) }
}

// newestSlot answers with the newest slot that a node has seen.
func newestSlot(c *wire.Call) []byte {
	return world.Encode(c.World.SlotOf("processed"))
}

func epochInfo(slot uint64) []byte {
	epoch, index := world.Epoch(slot)
	return world.JSON(`{"absoluteSlot":?,"blockHeight":?,"epoch":?,"slotIndex":?,"slotsInEpoch":?,"transactionCount":?}`,
		slot, world.Height(slot), epoch, index, world.SlotsPerEpoch, world.TransactionCount(slot))
}

func blockhashOf(slot uint64) json.RawMessage {
	return world.JSON(`{"blockhash":?,"lastValidBlockHeight":?}`, world.Blockhash(slot), world.Height(slot)+150)
}

func isBlockhashValid(c *wire.Call) []byte {
	hash, o := configured(c)
	return inContext(o.slot, world.IsRecent(hash, c.World.SlotOf("processed")))
}

// available refuses a slot that the node has not reached at a commitment.
func available(c *wire.Call, slot uint64, commitment string) {
	if slot > c.World.SlotOf(commitment) {
		c.Fail(-32004, "Block not available for slot %d", slot)
	}
}

func blockTimeOf(c *wire.Call) []byte {
	var slot uint64
	arguments(c, &slot)
	available(c, slot, "processed")
	return world.Encode(c.World.TimeOf(slot))
}

// blocks lists the blocks from a slot on: every slot has one. The second parameter is the last
// slot or, if counted, the number of blocks.
func blocks(counted bool) wire.Operation {
	const most = 500_000
	return func(c *wire.Call) []byte {
		var config []json.RawMessage
		var bounds []uint64
		for _, raw := range c.List() {
			var n *uint64 // null counts as absent
			if json.Unmarshal(raw, &n) != nil {
				config = append(config, raw)
			} else if n != nil {
				bounds = append(bounds, *n)
			}
		}
		newest := configOf(c, config).slot
		if len(bounds) < 1 || len(bounds) > 2 {
			c.Invalid("Invalid params: invalid type: %s, expected u64.", wire.Kind(c.Params))
			return nil
		}
		first, last := bounds[0], newest
		if len(bounds) > 1 {
			if last = bounds[1]; counted {
				last += first - 1
			}
			if last > first+most {
				c.Invalid("Slot range too large; max %d", most)
			}
		}
		all := []uint64{}
		for slot := first; slot <= min(last, newest, first+most); slot++ {
			all = append(all, slot)
		}
		return world.Encode(all)
	}
}

// block answers getBlock: every slot has a block, with the transactions of the ledger in it.
func block(c *wire.Call) []byte {
	var slot uint64
	others := arguments(c, &slot)
	var o struct {
		encodingOptions

		Commitment string `json:"commitment"         oneof:"confirmed finalized"`
		Details    string `json:"transactionDetails" oneof:"full accounts signatures none"`
		Rewards    *bool  `json:"rewards"`
	}
	c.Options(others, &o)
	available(c, slot, o.Commitment)
	if c.Refused != nil {
		return nil
	}
	var paid, full []json.RawMessage
	var names []string
	short := o.Details == "none" || o.Details == "signatures"
	leader := world.Derived("leader")
	for _, x := range c.World.Block(slot) {
		paid = append(paid, world.JSON(`{"commission":null,"lamports":?,"postBalance":500000000000,"pubkey":?,"rewardType":"Fee"}`, x.Fee/2, leader))
		names = append(names, x.Signature)
		if !short {
			full = append(full, o.text(c, x, Options{NoSlot: true, Short: o.Details == "accounts"}))
		}
	}
	parent := slot - min(slot, 1)
	return world.JSON(`{"blockHeight":?,"blockTime":?,"blockhash":?,"parentSlot":?,"previousBlockhash":?,"rewards":~,"signatures":~,"transactions":~}`,
		world.Height(slot), c.World.TimeOf(slot), world.Blockhash(slot), parent, world.Blockhash(parent), world.When(o.Rewards == nil || *o.Rewards, "?", paid),
		world.When(o.Details == "signatures", "?", names), world.When(!short, "?", full))
}

func rentExemption(c *wire.Call) []byte {
	var space uint64
	arguments(c, &space)
	return world.Encode(world.Rent(int(min(space, 10<<20))))
}

// inflationRewards answers with the rewards of stake accounts, about 7 percent a year, in an epoch.
func inflationRewards(c *wire.Call) []byte {
	var addresses []string
	args := arguments(c, &addresses)
	o := configOf(c, args)
	if !c.Agave42 {
		checkCount(c, len(addresses))
	}
	now, _ := world.Epoch(o.slot)
	epoch := cmp.Or(o.Epoch, now-1)
	rewards := make([]json.RawMessage, len(addresses))
	for i, address := range addresses {
		if v := viewOf(c.World, address, world.AfterSlot(o.slot)); v != nil && v.program == string(types.StakeProgram) {
			rewards[i] = world.JSON(`{"amount":?,"commission":null,"effectiveSlot":?,"epoch":?,"postBalance":?}`,
				v.lamports/2600, (epoch+1)*world.SlotsPerEpoch+1, epoch, v.lamports)
		}
	}
	return world.JSON("?", rewards)
}

func prioritizationFees(c *wire.Call) []byte {
	var sent []json.RawMessage
	for back := range uint64(3) { // of the 150 that nodes keep
		slot := c.World.SlotOf("processed") - 2 + back
		sent = append(sent, world.JSON(`{"prioritizationFee":?,"slot":?}`, slotFee(slot), slot))
	}
	return world.JSON("?", sent)
}

// slotFee is the priority fee of a slot in micro-lamports.
func slotFee(slot uint64) uint64 { return slot % 7 * 1000 }

// priorityFeeEstimate answers with captured fees, which are the same in every world and for every
// level.
func priorityFeeEstimate(c *wire.Call) []byte {
	var in struct {
		Options struct {
			All         bool `json:"includeAllPriorityFeeLevels"`
			Recommended bool `json:"recommended"`
		} `json:"options"`
	}
	if args := c.List(); len(args) > 0 {
		c.Decode(args[0], &in, false)
	}
	name := "getPriorityFeeEstimate"
	switch {
	case in.Options.All:
		name += "-levels"
	case in.Options.Recommended:
		name += "-recommended"
	}
	return captured(name)(c)
}

// chainSupply answers with the SOL of all wallets, as if there was no other.
func chainSupply(c *wire.Call) []byte {
	o := configOf(c, arguments(c))
	const others = 600_000_000_000_000_000
	total := uint64(others)
	for _, address := range c.World.Wallets() {
		total += c.World.Wallet(address).Has(world.SOL)
	}
	return inContext(o.slot, world.JSON(`{"circulating":?,"nonCirculating":0,"nonCirculatingAccounts":[],"total":?}`, total, total))
}
