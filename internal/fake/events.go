package fake

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Where made-up events begin.
const (
	firstEventSlot = 312_000_000
	firstEventTime = 1_735_689_600 // the start of 2025
)

// TransferEvent makes event i: owner sends SOL to someone.
func TransferEvent(i int, owner string) Event {
	e := newEvent(i, owner)
	lamports := 1_000_000 * uint64(1+e.x.below(5000))
	e.set("type", "TRANSFER", "source", "SYSTEM_PROGRAM", "lamports", lamports, "spent", lamports+5000,
		"before", uint64(50_000_000_000), "after", 49_999_995_000-lamports,
		"description", fmt.Sprintf("%s transferred %s SOL to %s.", owner, number(units(lamports, 9)), e.other))
	return e.event("TRANSFER", enhancedTransfer, rawTransfer)
}

// SwapEvent makes event i: owner gives USDC for SOL.
func SwapEvent(i int, owner string) Event {
	e := newEvent(i, owner)
	usdc := 1_000_000 * uint64(5+e.x.below(900))
	lamports := usdc * 7 // at about 143 USDC
	e.set("type", "SWAP", "source", "JUPITER", "usdc", usdc, "amount", number(units(usdc, 6)), "got", number(units(lamports, 9)),
		"lamports", lamports, "gained", lamports-5000, "before", uint64(50_000_000_000), "after", 49_999_995_000+lamports,
		"description", fmt.Sprintf("%s swapped %s USDC for %s SOL", owner, number(units(usdc, 6)), number(units(lamports, 9))))
	return e.event("SWAP", enhancedSwap, rawSwap)
}

var eventTime = regexp.MustCompile(`"(timestamp|blockTime)":\d+`)

// At returns e as it would be at another time. Otherwise events are of the
// start of 2025, the same in each run.
func (e Event) At(t time.Time) Event {
	member := fmt.Sprintf(`"${1}":%d`, t.Unix())
	e.Enhanced = eventTime.ReplaceAllString(e.Enhanced, member)
	e.Raw = eventTime.ReplaceAllString(e.Raw, member)
	return e
}

// A madeEvent fills in the templates.
type madeEvent struct {
	x         source
	signature string
	owner     string
	other     string
	pairs     []string
}

func newEvent(i int, owner string) *madeEvent {
	x := seed(0xe7e47).item(i)
	e := &madeEvent{x: x, owner: owner}
	e.signature = string(e.x.signature(nil))
	e.other = string(e.x.address(nil))
	account, pool, hash := string(e.x.address(nil)), string(e.x.address(nil)), string(e.x.address(nil))
	e.set("signature", e.signature, "owner", owner, "other", e.other, "account", account, "pool", pool, "blockhash", hash,
		"slot", firstEventSlot+2*i, "time", firstEventTime+i, "sol", solMint, "usdcMint", usdcMint)
	return e
}

// set gives values to names of the templates.
func (e *madeEvent) set(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		e.pairs = append(e.pairs, fmt.Sprintf("<%s>", pairs[i]), fmt.Sprint(pairs[i+1]))
	}
}

func (e *madeEvent) event(kind, enhanced, raw string) Event {
	fill := strings.NewReplacer(e.pairs...)
	return Event{
		Signature: e.signature,
		Type:      kind,
		Accounts:  []string{e.owner, e.other},
		Enhanced:  fill.Replace(enhanced),
		Raw:       fill.Replace(raw),
	}
}

const enhancedTransfer = `{"description":"<description>","type":"TRANSFER","source":"SYSTEM_PROGRAM","fee":5000,` +
	`"feePayer":"<owner>","signature":"<signature>","slot":<slot>,"timestamp":<time>,` +
	`"nativeTransfers":[{"fromUserAccount":"<owner>","toUserAccount":"<other>","amount":<lamports>}],"tokenTransfers":[],` +
	`"accountData":[{"account":"<owner>","nativeBalanceChange":-<spent>,"tokenBalanceChanges":[]},` +
	`{"account":"<other>","nativeBalanceChange":<lamports>,"tokenBalanceChanges":[]},` +
	`{"account":"11111111111111111111111111111111","nativeBalanceChange":0,"tokenBalanceChanges":[]}],` +
	`"transactionError":null,` +
	`"instructions":[{"accounts":["<owner>","<other>"],"data":"3Bxs4h24hBtQy9rw","programId":"11111111111111111111111111111111","innerInstructions":[]}],` +
	`"events":{}}`

const enhancedSwap = `{"description":"<description>","type":"SWAP","source":"JUPITER","fee":5000,` +
	`"feePayer":"<owner>","signature":"<signature>","slot":<slot>,"timestamp":<time>,` +
	`"nativeTransfers":[{"fromUserAccount":"<pool>","toUserAccount":"<owner>","amount":<lamports>}],` +
	`"tokenTransfers":[{"fromUserAccount":"<owner>","toUserAccount":"<pool>","fromTokenAccount":"<account>","toTokenAccount":"<other>",` +
	`"tokenAmount":<amount>,"mint":"<usdcMint>","tokenStandard":"Fungible"}],` +
	`"accountData":[{"account":"<owner>","nativeBalanceChange":<gained>,"tokenBalanceChanges":[]},` +
	`{"account":"<account>","nativeBalanceChange":0,"tokenBalanceChanges":[{"userAccount":"<owner>","tokenAccount":"<account>",` +
	`"mint":"<usdcMint>","rawTokenAmount":{"tokenAmount":"-<usdc>","decimals":6}}]}],"transactionError":null,"instructions":[],` +
	`"events":{"swap":{"nativeInput":null,"nativeOutput":{"account":"<owner>","amount":"<lamports>"},` +
	`"tokenInputs":[{"userAccount":"<owner>","tokenAccount":"<account>","mint":"<usdcMint>","rawTokenAmount":{"tokenAmount":"<usdc>","decimals":6}}],` +
	`"tokenOutputs":[],"tokenFees":[],"nativeFees":[],` +
	`"innerSwaps":[{"tokenInputs":[{"fromUserAccount":"<owner>","toUserAccount":"<pool>","fromTokenAccount":"<account>","toTokenAccount":"<other>",` +
	`"tokenAmount":<amount>,"mint":"<usdcMint>","tokenStandard":"Fungible"}],` +
	`"tokenOutputs":[{"fromUserAccount":"<pool>","toUserAccount":"<owner>","fromTokenAccount":"","toTokenAccount":"",` +
	`"tokenAmount":<got>,"mint":"<sol>","tokenStandard":"Fungible"}],"tokenFees":[],"nativeFees":[],` +
	`"programInfo":{"source":"ORCA","account":"whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc","programName":"ORCA_WHIRLPOOLS","instructionName":"swap"}}]}}}`

const rawTransfer = `{"blockTime":<time>,"indexWithinBlock":17,` +
	`"meta":{"err":null,"fee":5000,"innerInstructions":[],"loadedAddresses":{"readonly":[],"writable":[]},` +
	`"logMessages":["Program 11111111111111111111111111111111 invoke [1]","Program 11111111111111111111111111111111 success"],` +
	`"postBalances":[<after>,<lamports>,1],"postTokenBalances":[],"preBalances":[<before>,0,1],"preTokenBalances":[],"rewards":[]},"slot":<slot>,` +
	`"transaction":{"message":{"accountKeys":["<owner>","<other>","11111111111111111111111111111111"],"addressTableLookups":null,` +
	`"header":{"numReadonlySignedAccounts":0,"numReadonlyUnsignedAccounts":1,"numRequiredSignatures":1},` +
	`"instructions":[{"accounts":[0,1],"data":"3Bxs4h24hBtQy9rw","programIdIndex":2}],"recentBlockhash":"<blockhash>"},"signatures":["<signature>"]}}`

const rawSwap = `{"blockTime":<time>,"indexWithinBlock":202,` +
	`"meta":{"err":null,"fee":5000,"innerInstructions":[{"index":0,"instructions":[{"accounts":[1,3,0],"data":"3Bxs4h24hBtQy9rw","programIdIndex":4}]}],` +
	`"loadedAddresses":{"readonly":["whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"],"writable":["<pool>"]},"logMessages":["Program log: Instruction: Swap"],` +
	`"postBalances":[<after>,2039280,1,1,1],` +
	`"postTokenBalances":[{"accountIndex":1,"mint":"<usdcMint>","owner":"<owner>","programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",` +
	`"uiTokenAmount":{"amount":"0","decimals":6,"uiAmount":null,"uiAmountString":"0"}}],"preBalances":[<before>,2039280,1,1,1],` +
	`"preTokenBalances":[{"accountIndex":1,"mint":"<usdcMint>","owner":"<owner>","programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",` +
	`"uiTokenAmount":{"amount":"<usdc>","decimals":6,"uiAmount":<amount>,"uiAmountString":"<amount>"}}],"rewards":[]},"slot":<slot>,` +
	`"transaction":{"message":{"accountKeys":["<owner>","<account>","JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"],` +
	`"addressTableLookups":[{"accountKey":"<other>","writableIndexes":[4],"readonlyIndexes":[0]}],` +
	`"header":{"numReadonlySignedAccounts":0,"numReadonlyUnsignedAccounts":1,"numRequiredSignatures":1},` +
	`"instructions":[{"accounts":[1,0,3],"data":"PrpFmsY4d26dKbdKMZDQ9Q4","programIdIndex":2}],"recentBlockhash":"<blockhash>"},"signatures":["<signature>"]},"version":0}`
