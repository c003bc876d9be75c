package node

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"maps"
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
	methods := map[string]wire.Operation{
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
		"getTokenLargestAccounts":     ofMint("could not find mint", "Token mint could not be unpacked", largestAccounts),
		"getTokenSupply":              ofMint("could not find account", "not a Token mint", supply),
		"getSignatureStatuses":        signatureStatuses,
		"getSignaturesForAddress":     signaturesForAddress,
		"getTransaction":              transaction,
		"getTransactionsForAddress":   transactionsForAddress,
		"getTransfersByAddress":       transfersByAddress,

		"getBlock":                          block,
		"getBlockHeight":                    ofSlot(func(_ *world.World, slot uint64) any { return world.Height(slot) }),
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
		"getLatestBlockhash":                latestBlockhash,
		"getMaxRetransmitSlot":              newestSlot,
		"getMaxShredInsertSlot":             newestSlot,
		"getMinimumBalanceForRentExemption": rentExemption,
		"getPriorityFeeEstimate":            priorityFeeEstimate,
		"getRecentPrioritizationFees":       prioritizationFees,
		"getSlot":                           ofSlot(func(_ *world.World, slot uint64) any { return slot }),
		"getSupply":                         chainSupply,
		"getTransactionCount":               ofSlot(func(_ *world.World, slot uint64) any { return world.TransactionCount(slot) }),
		"getVoteAccounts":                   changing("getVoteAccounts", 2, voteAccounts),
		"isBlockhashValid":                  isBlockhashValid,
		"sendTransaction":                   sendTransaction,
		"getGenesisHash":                    genesisHash,
	}
	maps.Copy(methods, facts())
	return methods
}

// facts are the methods that answer with facts of the chain, which are the same in every
// world: captured answers. Those of the first list take no parameters.
func facts() map[string]wire.Operation {
	all := map[string]wire.Operation{}
	for _, name := range []string{
		"getClusterNodes", "getFirstAvailableBlock", "getHealth", "getIdentity", "getVersion", "minimumLedgerSlot",
	} {
		all[name] = constant(name, 0)
	}
	for _, name := range []string{
		"getBlockCommitment", "getInflationGovernor", "getLeaderSchedule", "getSlotLeader", "getSlotLeaders", "getStakeMinimumDelegation",
	} {
		all[name] = constant(name, 2)
	}
	return all
}

func genesisHash(c *wire.Call) ([]byte, *wire.Refusal) {
	if _, refused := constant("getGenesisHash", 0)(c); refused != nil || c.World.Network != types.NetworkDevnet {
		return []byte(`"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"`), refused
	}
	return []byte(`"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"`), nil
}

// changed is the members of a captured answer, some of which follow from the world.
type changed = map[string]json.RawMessage

// changing answers with the captured answer after change has set the members that differ.
func changing(name string, most int, change func(w *world.World, result changed)) wire.Operation {
	op := constant(name, most)
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		captured, refused := op(c)
		if refused != nil {
			return nil, refused
		}
		result, _ := wire.Object(captured)
		change(c.World, result)
		return world.Encode(result), nil
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
	value["range"] = world.Encode(map[string]uint64{"firstSlot": w.Slot() - 2, "lastSlot": w.Slot()})
	result["context"], result["value"] = world.JSON(`{"apiVersion":?,"slot":?}`, version, w.Slot()), world.Encode(value)
}

// constant answers every call with the captured answer.
func constant(name string, most int) wire.Operation {
	body, _ := golden.Answer("rpc/" + name)
	members, _ := wire.Object(body)
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		args, refused := c.List()
		if refused != nil || len(args) > most {
			return nil, noParameters()
		}
		return members["result"], nil
	}
}

// largestWallets answers with the twenty wallets that have the most SOL, all of which circulate.
func largestWallets(c *wire.Call) ([]byte, *wire.Refusal) {
	o, refused := only(c, "filter", "sortResults")
	if refused != nil {
		return nil, refused
	}
	filter, _ := o.Text("filter")
	if refused := cmp.Or(o.Refused, wire.Variant(filter, "circulating", "nonCirculating")); refused != nil {
		return nil, refused
	}
	type wallet struct {
		Address  string `json:"address"`
		Lamports uint64 `json:"lamports"`
	}
	all := world.View(c.World, "largest wallets", func() []wallet {
		all := []wallet{}
		for _, address := range c.World.Wallets() {
			if raw := c.World.Wallet(address).Has(world.SOL); raw > 0 {
				all = append(all, wallet{address, raw})
			}
		}
		slices.SortFunc(all, func(a, b wallet) int {
			return cmp.Or(cmp.Compare(b.Lamports, a.Lamports), cmp.Compare(a.Address, b.Address))
		})
		return all[:min(len(all), 20)]
	})
	if filter == "nonCirculating" {
		all = all[:0]
	}
	return inContext(o.slot, all), nil
}

// performanceSamples answers with one sample a minute, newest first.
func performanceSamples(c *wire.Call) ([]byte, *wire.Refusal) {
	const most, seconds = 720, 60
	count := uint64(most)
	args, refused := c.List()
	if refused != nil || len(args) > 1 || len(args) == 1 && json.Unmarshal(args[0], &count) != nil || count > most {
		return nil, wire.InvalidParams("Invalid limit; max %d", most)
	}
	type sample struct {
		NonVote uint64 `json:"numNonVoteTransactions"`
		Slots   uint64 `json:"numSlots"`
		All     uint64 `json:"numTransactions"`
		Seconds uint64 `json:"samplePeriodSecs"`
		Slot    uint64 `json:"slot"`
	}
	newest, each := c.World.Slot(), world.SlotsIn(seconds)
	sent := make([]sample, count)
	for i := range sent {
		slot := newest - newest%each - uint64(i)*each
		n := world.TransactionCount(slot) - world.TransactionCount(slot-each)
		sent[i] = sample{n / 3, each, n, seconds, slot}
	}
	return world.Encode(sent), nil
}

func noParameters() *wire.Refusal {
	return wire.InvalidParams("Invalid parameters: No parameters were expected")
}

// ofSlot answers with a value that follows from the newest slot.
func ofSlot(of func(w *world.World, slot uint64) any) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		o, refused := only(c)
		return world.Encode(of(c.World, o.slot)), refused
	}
}

// newestSlot answers with the newest slot that a node has seen.
func newestSlot(c *wire.Call) ([]byte, *wire.Refusal) {
	args, refused := c.List()
	if refused != nil || len(args) > 0 {
		return nil, noParameters()
	}
	return world.Encode(c.World.SlotOf("processed")), nil
}

func epochInfo(_ *world.World, slot uint64) any {
	epoch, index, slots := world.Epoch(slot)
	return struct {
		Slot   uint64 `json:"absoluteSlot"`
		Height uint64 `json:"blockHeight"`
		Epoch  uint64 `json:"epoch"`
		Index  uint64 `json:"slotIndex"`
		Slots  uint64 `json:"slotsInEpoch"`
		Count  uint64 `json:"transactionCount"`
	}{slot, world.Height(slot), epoch, index, slots, world.TransactionCount(slot)}
}

func latestBlockhash(c *wire.Call) ([]byte, *wire.Refusal) {
	o, refused := only(c)
	return inContext(o.slot, struct {
		Hash string `json:"blockhash"`
		Last uint64 `json:"lastValidBlockHeight"`
	}{world.Blockhash(o.slot), world.Height(o.slot) + 150}), refused
}

func isBlockhashValid(c *wire.Call) ([]byte, *wire.Refusal) {
	hash, args, refused := keyed(c, 1)
	if refused != nil {
		return nil, refused
	}
	o, refused := configOf(c, args)
	return inContext(o.slot, world.IsRecent(hash, c.World.SlotOf("processed"))), refused
}

// numbers reads the whole numbers with which parameters begin, and the others.
func numbers(c *wire.Call) (found []uint64, others []json.RawMessage, refused *wire.Refusal) {
	args, refused := c.List()
	for i, raw := range args {
		if wire.Kind(raw) == "null" && i > 0 {
			continue
		}
		n, err := strconv.ParseUint(string(raw), 10, 64)
		if err != nil {
			return found, args[i:], refused
		}
		found = append(found, n)
	}
	if refused == nil && len(args) == 0 {
		refused = wire.InvalidParams("Invalid params: invalid type: %s, expected a tuple of size 1.", wire.Kind(c.Params))
	}
	return found, nil, refused
}

// slotParam reads the only number of a method's parameters.
func slotParam(c *wire.Call) (n uint64, others []json.RawMessage, refused *wire.Refusal) {
	found, others, refused := numbers(c)
	switch {
	case refused != nil:
		return 0, nil, refused
	case len(found) == 0:
		return 0, nil, wire.InvalidParams("Invalid params: invalid type: %s, expected u64.", wire.Kind(others[0]))
	case len(found)+len(others) > 2 || len(found) > 1:
		return 0, nil, wire.InvalidParams("Invalid params: invalid type: %s, expected a tuple of size 1.", wire.Kind(c.Params))
	}
	return found[0], others, nil
}

// available refuses slots that the node has not reached at a commitment.
func available(c *wire.Call, slot uint64, commitment string) *wire.Refusal {
	if slot <= c.World.SlotOf(commitment) {
		return nil
	}
	return &wire.Refusal{Code: -32004, Message: "Block not available for slot " + strconv.FormatUint(slot, 10)}
}

func blockTimeOf(c *wire.Call) ([]byte, *wire.Refusal) {
	slot, others, refused := slotParam(c)
	if refused == nil && len(others) > 0 {
		refused = wire.InvalidParams("Invalid params: invalid type: %s, expected a tuple of size 1.", wire.Kind(c.Params))
	}
	if refused == nil {
		refused = available(c, slot, "processed")
	}
	if refused != nil {
		return nil, refused
	}
	at, known := c.World.TimeOf(slot)
	if !known {
		return wire.Null(), nil
	}
	return world.Encode(at.Unix()), nil
}

// maxBlocks is the largest number of blocks in one response.
const maxBlocks = 500_000

func blocks(c *wire.Call) ([]byte, *wire.Refusal) {
	bounds, others, refused := numbers(c)
	if refused != nil {
		return nil, refused
	}
	if len(bounds) < 1 || len(bounds) > 2 {
		return nil, wire.InvalidParams("Invalid params: invalid type: %s, expected u64.", wire.Kind(c.Params))
	}
	o, refused := configOf(c, others)
	if refused != nil {
		return nil, refused
	}
	last := min(o.slot, bounds[0]+min(maxBlocks, math.MaxUint64-bounds[0]))
	if len(bounds) == 2 {
		if bounds[1] > bounds[0]+maxBlocks {
			return nil, wire.InvalidParams("Slot range too large; max %d", maxBlocks)
		}
		last = min(last, bounds[1])
	}
	return slotList(bounds[0], last), nil
}

func blocksWithLimit(c *wire.Call) ([]byte, *wire.Refusal) {
	bounds, others, refused := numbers(c)
	if refused != nil {
		return nil, refused
	}
	if len(bounds) != 2 {
		return nil, wire.InvalidParams("`params` should have at least 2 argument(s)")
	}
	o, refused := configOf(c, others)
	switch {
	case refused != nil:
		return nil, refused
	case bounds[1] > maxBlocks:
		return nil, wire.InvalidParams("Limit too large; max %d", maxBlocks)
	case bounds[1] == 0:
		return []byte("[]"), nil
	}
	return slotList(bounds[0], min(o.slot, bounds[0]+bounds[1]-1)), nil
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
func block(c *wire.Call) ([]byte, *wire.Refusal) {
	slot, others, refused := slotParam(c)
	if refused != nil {
		return nil, refused
	}
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
	for _, refused := range []*wire.Refusal{c.Options(others, &o), available(c, slot, o.Commitment), archived(o.Commitment), transactionEncoding(o.Encoding)} {
		if refused != nil {
			return nil, refused
		}
	}
	if refused := wire.Variant(o.Details, "full", "accounts", "signatures", "none"); refused != nil {
		return nil, refused
	}
	type reward struct {
		Commission *int   `json:"commission"`
		Lamports   uint64 `json:"lamports"`
		Balance    uint64 `json:"postBalance"`
		Key        string `json:"pubkey"`
		Type       string `json:"rewardType"`
	}
	at, known := c.World.TimeOf(slot)
	sent := struct {
		Height     uint64            `json:"blockHeight"`
		Time       *int64            `json:"blockTime"`
		Hash       string            `json:"blockhash"`
		Parent     uint64            `json:"parentSlot"`
		Previous   string            `json:"previousBlockhash"`
		Rewards    []reward          `json:"rewards,omitzero"`
		Signatures []string          `json:"signatures,omitzero"`
		Txs        []json.RawMessage `json:"transactions,omitzero"`
	}{Height: world.Height(slot), Hash: world.Blockhash(slot), Parent: slot - min(slot, 1), Previous: world.Blockhash(slot - min(slot, 1))}
	if known {
		unix := at.Unix()
		sent.Time = &unix
	}
	txs := c.World.Block(slot)
	if o.Rewards == nil || *o.Rewards {
		sent.Rewards = []reward{}
		for _, x := range txs {
			s := world.Seed(42).Item(0)
			sent.Rewards = append(sent.Rewards, reward{nil, x.Fee / 2, 500_000_000_000, s.Address(), "Fee"})
		}
	}
	switch o.Details {
	case "none":
	case "signatures":
		sent.Signatures = []string{}
		for _, x := range txs {
			sent.Signatures = append(sent.Signatures, x.Signature)
		}
	default:
		sent.Txs = []json.RawMessage{}
		for _, x := range txs {
			sent.Txs = append(sent.Txs, Text(c.World, x, Options{Encoding: o.Encoding, NoSlot: true, Version: true, Short: o.Details == "accounts"}))
		}
	}
	return world.Encode(sent), nil
}

func rentExemption(c *wire.Call) ([]byte, *wire.Refusal) {
	space, _, refused := slotParam(c)
	return world.Encode(world.Rent(int(min(space, 10<<20)))), refused
}

// inflationRewards answers that no wallet of the world has a stake.
func inflationRewards(c *wire.Call) ([]byte, *wire.Refusal) {
	args, refused := c.List()
	var addresses []string
	if refused != nil || len(args) < 1 || len(args) > 2 || json.Unmarshal(args[0], &addresses) != nil {
		return nil, wire.InvalidParams("Invalid params: expected an array of addresses and a configuration")
	}
	if _, refused := configOf(c, args[1:], "epoch"); refused != nil {
		return nil, refused
	}
	for _, address := range addresses {
		if refused := checkKey(address); refused != nil {
			return nil, refused
		}
	}
	return world.Encode(make([]*int, len(addresses))), nil
}

func prioritizationFees(c *wire.Call) ([]byte, *wire.Refusal) {
	args, refused := c.List()
	var addresses []string
	if refused != nil || len(args) > 1 || len(args) == 1 && json.Unmarshal(args[0], &addresses) != nil {
		return nil, wire.InvalidParams("Invalid params: expected an array of addresses")
	}
	if refused := tooMany(len(addresses), 128); refused != nil {
		return nil, refused
	}
	type fee struct {
		Fee  uint64 `json:"prioritizationFee"`
		Slot uint64 `json:"slot"`
	}
	sent := make([]fee, 3) // of the 150 that nodes keep
	for i := range sent {
		slot := c.World.SlotOf("processed") - uint64(len(sent)-1-i)
		sent[i] = fee{uint64(slotFee(slot)), slot}
	}
	return world.Encode(sent), nil
}

// slotFee is the priority fee of a slot in micro-lamports.
func slotFee(slot uint64) int {
	s := world.Seed(43).Item(int(slot))
	return s.Below(100_000) >> s.Below(12)
}

// priorityFeeEstimate answers with the percentiles of the fees of the last slots.
func priorityFeeEstimate(c *wire.Call) ([]byte, *wire.Refusal) {
	args, refused := c.List()
	if refused != nil || len(args) != 1 {
		return nil, wire.InvalidParams("Invalid Request: expected one object")
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
	switch refused := c.Options(args, &in); {
	case refused != nil:
		return nil, refused
	case in.Transaction != "" && in.Keys != nil:
		return nil, wire.InvalidParams("Invalid Request: transaction and accountKeys are both given")
	case len(in.Keys) > 500:
		return nil, wire.InvalidParams("Invalid Request: more than 500 accountKeys")
	case o.Recommended != nil && (o.Level != "" || o.All || o.Lookback != nil || o.Vote != nil):
		return nil, wire.InvalidParams("Invalid Request: recommended excludes other options")
	case o.Lookback != nil && (*o.Lookback < 1 || *o.Lookback > 150):
		return nil, wire.InvalidParams("Invalid Request: lookbackSlots must be between 1 and 150")
	}
	levels := []string{"Min", "Low", "Medium", "High", "VeryHigh", "UnsafeMax", "Default"}
	if refused := wire.Variant(o.Level, levels...); refused != nil {
		return nil, refused
	}
	lookback := 150
	if o.Lookback != nil {
		lookback = *o.Lookback
	}
	var fees []int
	for back := range lookback {
		fees = append(fees, slotFee(c.World.Slot()-uint64(back)))
	}
	slices.Sort(fees)
	percentile := func(level string) float64 {
		percent := map[string]int{"Low": 25, "High": 75, "VeryHigh": 95, "UnsafeMax": 100, "Min": 0}
		p, known := percent[level]
		if !known {
			p = 50
		}
		return float64(fees[(len(fees)-1)*p/100])
	}
	type figures struct {
		Min       float64 `json:"min"`
		Low       float64 `json:"low"`
		Medium    float64 `json:"medium"`
		High      float64 `json:"high"`
		VeryHigh  float64 `json:"veryHigh"`
		UnsafeMax float64 `json:"unsafeMax"`
	}
	var sent struct {
		Estimate *float64 `json:"priorityFeeEstimate,omitempty"`
		Levels   *figures `json:"priorityFeeLevels,omitempty"`
	}
	if o.All {
		sent.Levels = &figures{percentile("Min"), percentile("Low"), percentile("Medium"), percentile("High"), percentile("VeryHigh"), percentile("UnsafeMax")}
		return world.Encode(sent), nil
	}
	estimate := percentile(o.Level)
	if o.Recommended != nil && *o.Recommended {
		estimate = max(estimate, 10_000)
	}
	sent.Estimate = &estimate
	return world.Encode(sent), nil
}

// chainSupply answers with the SOL of all wallets, as if there was no other.
func chainSupply(c *wire.Call) ([]byte, *wire.Refusal) {
	o, refused := only(c, "excludeNonCirculatingAccountsList")
	if refused != nil {
		return nil, refused
	}
	const others = 600_000_000_000_000_000
	total := uint64(others)
	for _, address := range c.World.Wallets() {
		total += c.World.Wallet(address).Has(world.SOL)
	}
	return inContext(o.slot, struct {
		Circulating uint64   `json:"circulating"`
		Locked      uint64   `json:"nonCirculating"`
		Accounts    []string `json:"nonCirculatingAccounts"`
		Total       uint64   `json:"total"`
	}{total, 0, []string{}, total}), nil
}

// feeForMessage answers with 5000 lamports for each signature that a message needs.
func feeForMessage(c *wire.Call) ([]byte, *wire.Refusal) {
	args, refused := c.List()
	var text string
	if refused != nil || len(args) < 1 || len(args) > 2 || json.Unmarshal(args[0], &text) != nil {
		return nil, wire.InvalidParams("Invalid params: expected a message and a configuration")
	}
	o, refused := configOf(c, args[1:])
	message, err := base64.StdEncoding.DecodeString(text)
	if err == nil && len(message) > 0 && message[0]&0x80 != 0 { // a version comes first
		message = message[1:]
	}
	if err != nil || len(message) == 0 {
		return nil, wire.InvalidParams("invalid base64 encoding")
	}
	return inContext(o.slot, 5000*uint64(message[0])), refused
}
