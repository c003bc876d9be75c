package node

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/internal/golden"
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
		"getTokenAccountsByDelegate":  tokenAccountsByDelegate,
		"getTokenAccountsByOwner":     tokenAccountsByOwner,
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
		"getBlocks":                         blocks,
		"getBlocksWithLimit":                blocksWithLimit,
		"getBlockProduction":                changing("getBlockProduction", 2, blockProduction),
		"getEpochInfo":                      ofSlot(epochInfo),
		"getEpochSchedule":                  changing("getEpochSchedule", 0, epochSchedule),
		"getFeeForMessage":                  feeForMessage,
		"getHighestSnapshotSlot":            changing("getHighestSnapshotSlot", 0, snapshotSlot),
		"getInflationRate":                  changing("getInflationRate", 0, inflationRate),
		"getInflationReward":                inflationRewards,
		"getLatestBlockhash":                ofSlot(latestBlockhash),
		"getMaxRetransmitSlot":              newestSlot,
		"getMaxShredInsertSlot":             newestSlot,
		"getMinimumBalanceForRentExemption": rentExemption,
		"getPriorityFeeEstimate":            priorityFeeEstimate,
		"getRecentPrioritizationFees":       prioritizationFees,
		"getSlot":                           ofSlot(func(slot uint64) []byte { return world.Encode(slot) }),
		"getSupply":                         chainSupply,
		"getTransactionCount":               ofSlot(func(slot uint64) []byte { return world.Encode(world.TransactionCount(slot)) }),
		"getVoteAccounts":                   changing("getVoteAccounts", 2, voteAccounts),
		"isBlockhashValid":                  isBlockhashValid,
		"sendTransaction":                   sendTransaction,
		"getGenesisHash":                    genesisHash,
	}
	// Facts of the chain, which are the same in every world: captured answers.
	for _, name := range []string{
		"getClusterNodes", "getFirstAvailableBlock", "getHealth", "getIdentity", "getVersion", "minimumLedgerSlot",
	} {
		all[name] = changing(name, 0, nil)
	}
	for _, name := range []string{
		"getBlockCommitment", "getInflationGovernor", "getLeaderSchedule", "getSlotLeader", "getSlotLeaders", "getStakeMinimumDelegation",
	} {
		all[name] = changing(name, 2, nil)
	}
	return all
}

func genesisHash(c *wire.Call) []byte {
	atMost(c, 0)
	if c.World.Network == types.NetworkDevnet {
		return []byte(`"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"`)
	}
	return []byte(`"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"`)
}

// changed is the members of a captured answer, some of which follow from the world.
type changed = map[string]json.RawMessage

// changing answers with the captured answer after change, if there is one, has set the members
// that differ.
func changing(name string, most int, change func(w *world.World, result changed)) func(*wire.Call) []byte {
	body, _ := golden.Answer("rpc/" + name)
	members, _ := wire.Object(body)
	return func(c *wire.Call) []byte {
		atMost(c, most)
		if change == nil {
			return members["result"]
		}
		result, _ := wire.Object(members["result"])
		change(c.World, result)
		return world.Encode(result)
	}
}

func epochSchedule(_ *world.World, result changed) {
	_, _, slots := world.Epoch(0)
	result["slotsPerEpoch"], result["leaderScheduleSlotOffset"] = world.Encode(slots), world.Encode(slots)
}

func inflationRate(w *world.World, result changed) {
	epoch, _, _ := world.Epoch(w.Slot())
	result["epoch"] = world.Encode(epoch)
}

func snapshotSlot(w *world.World, result changed) {
	const pause = 50_000
	result["full"] = world.Encode(w.Slot() - w.Slot()%pause)
}

// voteAccounts has validators that have voted on the newest slots.
func voteAccounts(w *world.World, result changed) {
	var current []changed
	_ = json.Unmarshal(result["current"], &current) // it was captured
	for _, v := range current {
		v["lastVote"], v["rootSlot"] = world.Encode(w.SlotOf("processed")), world.Encode(w.Slot())
	}
	result["current"] = world.Encode(current)
}

// blockProduction is the one of the last three slots.
func blockProduction(w *world.World, result changed) {
	value, _ := wire.Object(result["value"])
	value["range"] = world.JSON(`{"firstSlot":?,"lastSlot":?}`, w.Slot()-2, w.Slot())
	result["context"], result["value"] = world.JSON(`{"apiVersion":?,"slot":?}`, version, w.Slot()), world.Encode(value)
}

// largestWallets answers with the twenty wallets that have the most SOL, all of which circulate.
func largestWallets(c *wire.Call) []byte {
	o := only(c, "filter", "sortResults")
	filter, _ := o.Text("filter")
	c.OneOf(filter, "circulating", "nonCirculating")
	holds := func(address string) uint64 { return c.World.Wallet(address).Has(world.SOL) }
	all := c.World.Select("largest wallets", func() []string {
		all := c.World.Wallets()
		slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(holds(b), holds(a)), cmp.Compare(a, b)) })
		return all[:min(len(all), 20)]
	})
	var sent []json.RawMessage
	for _, address := range all {
		if filter != "nonCirculating" && holds(address) > 0 {
			sent = append(sent, world.JSON(`{"address":?,"lamports":?}`, address, holds(address)))
		}
	}
	return inContext(o.slot, sent)
}

// performanceSamples answers with one sample a minute, newest first.
func performanceSamples(c *wire.Call) []byte {
	const most, seconds = 720, 60
	count := uint64(most)
	if args := c.List(); c.Refused != nil || len(args) > 1 || len(args) == 1 && json.Unmarshal(args[0], &count) != nil || count > most {
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

// atMost refuses more parameters, and parameters that are not a list.
func atMost(c *wire.Call, most int) {
	if len(c.List()) > most {
		c.Invalid("Invalid parameters: No parameters were expected")
	}
}

// ofSlot answers with a value that follows from the newest slot.
func ofSlot(of func(slot uint64) []byte) func(*wire.Call) []byte {
	return func(c *wire.Call) []byte { return of(only(c).slot) }
}

// newestSlot answers with the newest slot that a node has seen.
func newestSlot(c *wire.Call) []byte {
	atMost(c, 0)
	return world.Encode(c.World.SlotOf("processed"))
}

func epochInfo(slot uint64) []byte {
	epoch, index, slots := world.Epoch(slot)
	return world.JSON(`{"absoluteSlot":?,"blockHeight":?,"epoch":?,"slotIndex":?,"slotsInEpoch":?,"transactionCount":?}`,
		slot, world.Height(slot), epoch, index, slots, world.TransactionCount(slot))
}

func latestBlockhash(slot uint64) []byte {
	return inContext(slot, world.JSON(`{"blockhash":?,"lastValidBlockHeight":?}`, world.Blockhash(slot), world.Height(slot)+150))
}

func isBlockhashValid(c *wire.Call) []byte {
	hash, args := keyed(c, 1)
	return inContext(configOf(c, args).slot, world.IsRecent(hash, c.World.SlotOf("processed")))
}

// numbers reads the whole numbers with which parameters begin, and the others. There must be
// at least one parameter.
func numbers(c *wire.Call) (found []uint64, others []json.RawMessage) {
	args := arguments(c, 0)
	for i, raw := range args {
		if wire.Kind(raw) == "null" && i > 0 {
			continue
		}
		n, err := strconv.ParseUint(string(raw), 10, 64)
		if err != nil {
			return found, args[i:]
		}
		found = append(found, n)
	}
	if len(args) == 0 {
		c.Invalid("Invalid params: invalid type: %s, expected a tuple of size 1.", wire.Kind(c.Params))
	}
	return found, nil
}

// slotParam reads the only number of a method's parameters.
func slotParam(c *wire.Call, most int) (n uint64, others []json.RawMessage) {
	found, others := numbers(c)
	switch {
	case len(found) == 0 && len(others) > 0:
		c.Invalid("Invalid params: invalid type: %s, expected u64.", wire.Kind(others[0]))
	case len(found)+len(others) > most || len(found) > 1:
		c.Invalid("Invalid params: invalid type: %s, expected a tuple of size 1.", wire.Kind(c.Params))
	}
	return append(found, 0)[0], others
}

// available refuses slots that the node has not reached at a commitment.
func available(c *wire.Call, slot uint64, commitment string) {
	if slot > c.World.SlotOf(commitment) {
		c.Refuse(&wire.Refusal{Code: -32004, Message: "Block not available for slot " + strconv.FormatUint(slot, 10)})
	}
}

func blockTimeOf(c *wire.Call) []byte {
	slot, _ := slotParam(c, 1)
	available(c, slot, "processed")
	at, known := c.World.TimeOf(slot)
	if !known {
		return wire.Null()
	}
	return world.Encode(at.Unix())
}

// maxBlocks is the largest number of blocks in one response.
const maxBlocks = 500_000

func blocks(c *wire.Call) []byte {
	bounds, others := numbers(c)
	if len(bounds) < 1 || len(bounds) > 2 {
		c.Invalid("Invalid params: invalid type: %s, expected u64.", wire.Kind(c.Params))
	}
	newest := configOf(c, others).slot
	if c.Refused != nil {
		return nil
	}
	last := min(newest, bounds[0]+min(maxBlocks, math.MaxUint64-bounds[0]))
	if len(bounds) == 2 {
		if bounds[1] > bounds[0]+maxBlocks {
			c.Invalid("Slot range too large; max %d", maxBlocks)
		}
		last = min(last, bounds[1])
	}
	return slotList(bounds[0], last)
}

func blocksWithLimit(c *wire.Call) []byte {
	bounds, others := numbers(c)
	if len(bounds) != 2 {
		c.Invalid("`params` should have at least 2 argument(s)")
	}
	newest := configOf(c, others).slot
	switch {
	case c.Refused != nil:
		return nil
	case bounds[1] > maxBlocks:
		c.Invalid("Limit too large; max %d", maxBlocks)
		return nil
	case bounds[1] == 0:
		return []byte("[]")
	}
	return slotList(bounds[0], min(newest, bounds[0]+bounds[1]-1))
}

// slotList returns the slots of a range, each of which has a block.
func slotList(first, last uint64) []byte {
	b := []byte("[")
	for slot := first; slot <= last; slot++ {
		if slot > first {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, slot, 10)
	}
	return append(b, ']')
}

// block answers getBlock: every slot has a block, with the transactions of the ledger in it.
func block(c *wire.Call) []byte {
	slot, others := slotParam(c, 2)
	if len(others) > 0 && wire.Kind(others[0])[0] == 's' { // the old form: an encoding
		others[0] = append(append(json.RawMessage(`{"encoding":`), others[0]...), '}')
	}
	var o struct {
		Commitment string `json:"commitment"`
		Encoding   string `json:"encoding"`
		Details    string `json:"transactionDetails"`
		Rewards    *bool  `json:"rewards"`
		MaxVersion any    `json:"maxSupportedTransactionVersion"` // all transactions are legacy
	}
	c.Options(others, &o)
	available(c, slot, o.Commitment)
	c.Refuse(cmp.Or(archived(o.Commitment), transactionEncoding(o.Encoding), wire.Variant(o.Details, "full", "accounts", "signatures", "none")))
	if c.Refused != nil {
		return nil
	}
	var unix, rewards, signatures, transactions any // absent unless they are asked for
	if at, known := c.World.TimeOf(slot); known {
		unix = at.Unix()
	}
	var paid, full []json.RawMessage
	var names []string
	leader := world.Seed(42).Item(0)
	key := leader.Address()
	for _, x := range c.World.Block(slot) {
		paid = append(paid, world.JSON(`{"commission":null,"lamports":?,"postBalance":500000000000,"pubkey":?,"rewardType":"Fee"}`, x.Fee/2, key))
		names = append(names, x.Signature)
		if o.Details != "none" && o.Details != "signatures" {
			full = append(full, Text(c.World, x, Options{Encoding: o.Encoding, NoSlot: true, Version: true, Short: o.Details == "accounts"}))
		}
	}
	if o.Rewards == nil || *o.Rewards {
		rewards = world.JSON("?", paid)
	}
	switch o.Details {
	case "none":
	case "signatures":
		signatures = world.JSON("?", names)
	default:
		transactions = world.JSON("?", full)
	}
	parent := slot - min(slot, 1)
	return world.JSON(`{"blockHeight":?,"blockTime":?,"blockhash":?,"parentSlot":?,"previousBlockhash":?,"rewards":~,"signatures":~,"transactions":~}`,
		world.Height(slot), unix, world.Blockhash(slot), parent, world.Blockhash(parent), rewards, signatures, transactions)
}

func rentExemption(c *wire.Call) []byte {
	space, _ := slotParam(c, 2)
	return world.Encode(world.Rent(int(min(space, 10<<20))))
}

// inflationRewards answers that no wallet of the world has a stake.
func inflationRewards(c *wire.Call) []byte {
	addresses, args := first[[]string](c, "an array of addresses")
	configOf(c, args, "epoch")
	for _, address := range addresses {
		checkSize(c, address, 32)
	}
	return world.JSON("?", make([]json.RawMessage, len(addresses)))
}

func prioritizationFees(c *wire.Call) []byte {
	args := c.List()
	var addresses []string
	if len(args) > 1 || len(args) == 1 && json.Unmarshal(args[0], &addresses) != nil {
		c.Invalid("Invalid params: expected an array of addresses")
	}
	checkCount(c, len(addresses), 128)
	var sent []json.RawMessage
	for back := range uint64(3) { // of the 150 that nodes keep
		slot := c.World.SlotOf("processed") - 2 + back
		sent = append(sent, world.JSON(`{"prioritizationFee":?,"slot":?}`, slotFee(slot), slot))
	}
	return world.JSON("?", sent)
}

// slotFee is the priority fee of a slot in micro-lamports.
func slotFee(slot uint64) int {
	s := world.Seed(43).Item(int(slot))
	return s.Below(100_000) >> s.Below(12)
}

// priorityFeeEstimate answers with the percentiles of the fees of the last slots.
func priorityFeeEstimate(c *wire.Call) []byte {
	args := c.List()
	if len(args) != 1 {
		c.Invalid("Invalid Request: expected one object")
	}
	var in struct {
		Transaction string   `json:"transaction"`
		Keys        []string `json:"accountKeys"`
		Options     struct {
			Encoding    string `json:"transactionEncoding"`
			Level       string `json:"priorityLevel"`
			All         bool   `json:"includeAllPriorityFeeLevels"`
			Lookback    *int   `json:"lookbackSlots"`
			Vote        *bool  `json:"includeVote"`
			Recommended *bool  `json:"recommended"`
			Empty       *bool  `json:"evaluateEmptySlotAsZero"`
			Details     bool   `json:"includeDetails"`
		} `json:"options"`
	}
	o := &in.Options
	c.Options(args, &in)
	lookback := 150
	if o.Lookback != nil {
		lookback = *o.Lookback
	}
	switch {
	case in.Transaction != "" && in.Keys != nil:
		c.Invalid("Invalid Request: transaction and accountKeys are both given")
	case len(in.Keys) > 500:
		c.Invalid("Invalid Request: more than 500 accountKeys")
	case o.Recommended != nil && (o.Level != "" || o.All || o.Lookback != nil || o.Vote != nil):
		c.Invalid("Invalid Request: recommended excludes other options")
	case lookback < 1 || lookback > 150:
		c.Invalid("Invalid Request: lookbackSlots must be between 1 and 150")
	}
	percents := map[string]int{"Min": 0, "Low": 25, "Medium": 50, "High": 75, "VeryHigh": 95, "UnsafeMax": 100, "Default": 50, "": 50}
	c.OneOf(o.Level, "Min", "Low", "Medium", "High", "VeryHigh", "UnsafeMax", "Default")
	if c.Refused != nil {
		return nil
	}
	var fees []int
	for back := range lookback {
		fees = append(fees, slotFee(c.World.Slot()-uint64(back)))
	}
	slices.Sort(fees)
	at := func(level string) int { return fees[(len(fees)-1)*percents[level]/100] }
	if o.All {
		return world.JSON(`{"priorityFeeLevels":{"min":?,"low":?,"medium":?,"high":?,"veryHigh":?,"unsafeMax":?}}`,
			at("Min"), at("Low"), at("Medium"), at("High"), at("VeryHigh"), at("UnsafeMax"))
	}
	estimate := at(o.Level)
	if o.Recommended != nil && *o.Recommended {
		estimate = max(estimate, 10_000)
	}
	return world.JSON(`{"priorityFeeEstimate":?}`, estimate)
}

// chainSupply answers with the SOL of all wallets, as if there was no other.
func chainSupply(c *wire.Call) []byte {
	o := only(c, "excludeNonCirculatingAccountsList")
	const others = 600_000_000_000_000_000
	total := uint64(others)
	for _, address := range c.World.Wallets() {
		total += c.World.Wallet(address).Has(world.SOL)
	}
	return inContext(o.slot, world.JSON(`{"circulating":?,"nonCirculating":0,"nonCirculatingAccounts":[],"total":?}`, total, total))
}

// feeForMessage answers with 5000 lamports for each signature that a message needs.
func feeForMessage(c *wire.Call) []byte {
	text, args := first[string](c, "a message")
	o := configOf(c, args)
	message, err := base64.StdEncoding.DecodeString(text)
	if err == nil && len(message) > 0 && message[0]&0x80 != 0 { // a version comes first
		message = message[1:]
	}
	if err != nil || len(message) == 0 {
		c.Invalid("invalid base64 encoding")
		return nil
	}
	return inContext(o.slot, 5000*uint64(message[0]))
}
