package webhooks

import (
	"encoding/json"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// An EnhancedTransaction is a transaction as enhanced webhooks deliver it: read
// by the service, which says in words and in types what it did. Such webhooks
// deliver no failed transactions.
type EnhancedTransaction struct {
	Description      string           `json:"description"`      // for people; may be empty
	Type             txtype.Type      `json:"type"`             // what it did; the service adds words now and then
	Source           string           `json:"source"`           // the marketplace or program, such as MAGIC_EDEN; the service adds words now and then
	Fee              uint64           `json:"fee"`              // lamports
	FeePayer         types.Address    `json:"feePayer"`         // the first signer
	Signature        types.Signature  `json:"signature"`        // identifies the transaction
	Slot             uint64           `json:"slot"`             // of the block
	Timestamp        types.Time       `json:"timestamp"`        // of the block
	NativeTransfers  []NativeTransfer `json:"nativeTransfers"`  // of SOL; empty when there are none
	TokenTransfers   []TokenTransfer  `json:"tokenTransfers"`   // of tokens; empty when there are none
	AccountData      []AccountData    `json:"accountData"`      // what changed, account by account
	TransactionError json.RawMessage  `json:"transactionError"` // as it came; nil when there is none
	Instructions     []Instruction    `json:"instructions"`     // not always sent
	Events           Events           `json:"events"`           // what it was in detail; empty for most
}

// A NativeTransfer moves SOL.
type NativeTransfer struct {
	FromUserAccount types.Address `json:"fromUserAccount"` // may be empty
	ToUserAccount   types.Address `json:"toUserAccount"`   // may be empty
	Amount          uint64        `json:"amount"`          // lamports
}

// UnmarshalJSON reads an amount that is text or a number.
func (n *NativeTransfer) UnmarshalJSON(b []byte) error {
	type plain NativeTransfer // without this method
	wire := struct {
		*plain
		Amount *lamports `json:"amount"`
	}{(*plain)(n), (*lamports)(&n.Amount)}
	return transport.Unmarshal(b, &wire)
}

// A TokenTransfer moves tokens. Accounts that a side does not have, as when
// tokens are minted or burned, are empty.
type TokenTransfer struct {
	FromUserAccount  types.Address   `json:"fromUserAccount"`  // the wallet
	ToUserAccount    types.Address   `json:"toUserAccount"`    // the wallet
	FromTokenAccount types.Address   `json:"fromTokenAccount"` // its account for this token
	ToTokenAccount   types.Address   `json:"toTokenAccount"`   // its account for this token
	Amount           decimal.Decimal `json:"tokenAmount"`      // in whole tokens; the service may have rounded it. [RawTokenAmount] is exact
	Mint             types.Address   `json:"mint"`             // which token; native SOL has fields of its own
	TokenStandard    TokenStandard   `json:"tokenStandard"`    // empty when the service did not say
	Decimals         *uint8          `json:"decimals"`         // digits after the point; nil when the service did not say, which is the rule
}

// UnmarshalJSON reads an amount of a bounded length.
func (t *TokenTransfer) UnmarshalJSON(b []byte) error {
	type plain TokenTransfer // without this method
	wire := struct {
		*plain
		Amount *tokens `json:"tokenAmount"`
	}{(*plain)(t), (*tokens)(&t.Amount)}
	return transport.Unmarshal(b, &wire)
}

// A TokenStandard says what kind of token something is. Words without a
// constant here pass through.
type TokenStandard string

// The token standards.
const (
	Fungible                TokenStandard = "Fungible"
	FungibleAsset           TokenStandard = "FungibleAsset"
	NonFungible             TokenStandard = "NonFungible"
	NonFungibleEdition      TokenStandard = "NonFungibleEdition"
	ProgrammableNonFungible TokenStandard = "ProgrammableNonFungible"
	UnknownStandard         TokenStandard = "UnknownStandard"
)

// AccountData is what a transaction changed in one account.
type AccountData struct {
	Account             types.Address        `json:"account"`             // a wallet, a token account or any other
	NativeBalanceChange int64                `json:"nativeBalanceChange"` // lamports; negative when SOL left
	TokenBalanceChanges []TokenBalanceChange `json:"tokenBalanceChanges"` // empty when no tokens moved
}

// A TokenBalanceChange is what a wallet gained or lost of a token. In a swap it
// is an amount that went in or came out, and is not negative.
type TokenBalanceChange struct {
	UserAccount    types.Address  `json:"userAccount"`    // the wallet
	TokenAccount   types.Address  `json:"tokenAccount"`   // its account for this token
	Mint           types.Address  `json:"mint"`           // which token; native SOL has fields of its own
	RawTokenAmount RawTokenAmount `json:"rawTokenAmount"` // exact
}

// A RawTokenAmount is an exact amount of a token.
type RawTokenAmount struct {
	Amount   decimal.Decimal `json:"tokenAmount"` // in the smallest unit, a whole number; negative when tokens left
	Decimals uint8           `json:"decimals"`    // digits after the point in whole tokens
}

// UnmarshalJSON reads an amount of a bounded length.
func (a *RawTokenAmount) UnmarshalJSON(b []byte) error {
	type plain RawTokenAmount // without this method
	wire := struct {
		*plain
		Amount *tokens `json:"tokenAmount"`
	}{(*plain)(a), (*tokens)(&a.Amount)}
	return transport.Unmarshal(b, &wire)
}

// Tokens returns the amount in whole tokens.
func (a RawTokenAmount) Tokens() decimal.Decimal { return a.Amount.Shift(-int32(a.Decimals)) }

// An Instruction is a call of a program.
type Instruction struct {
	Accounts          []types.Address    `json:"accounts"`          // those handed to the program, in its order
	Data              string             `json:"data"`              // base58
	ProgramID         types.Address      `json:"programId"`         // the program that was called
	InnerInstructions []InnerInstruction `json:"innerInstructions"` // what the program called in turn
}

// An InnerInstruction is a call that a program made.
type InnerInstruction struct {
	Accounts  []types.Address `json:"accounts"`  // those handed to the program, in its order
	Data      string          `json:"data"`      // base58
	ProgramID types.Address   `json:"programId"` // the program that was called
}

// Events are what the service found a transaction to be. Most transactions
// have none of them.
type Events struct {
	NFT                          *NFTEvent            `json:"nft"`                          // nil when there was none
	Swap                         *SwapEvent           `json:"swap"`                         // nil when there was none
	Compressed                   []CompressedNFTEvent `json:"compressed"`                   // sent as a list or as a single one
	SetAuthority                 []SetAuthorityEvent  `json:"setAuthority"`                 // sent as a list or as a single one
	DistributeCompressionRewards *CompressionRewards  `json:"distributeCompressionRewards"` // nil when there were none
}

// UnmarshalJSON reads the members that come as a list or as a single one.
func (e *Events) UnmarshalJSON(b []byte) error {
	type plain Events // without this method
	wire := struct {
		*plain
		Compressed   oneOrMore[CompressedNFTEvent] `json:"compressed"`
		SetAuthority oneOrMore[SetAuthorityEvent]  `json:"setAuthority"`
	}{plain: (*plain)(e)}
	if err := transport.Unmarshal(b, &wire); err != nil {
		return err
	}
	e.Compressed, e.SetAuthority = wire.Compressed, wire.SetAuthority
	return nil
}

// oneOrMore is a list that is sent without brackets when it has one entry.
type oneOrMore[T any] []T

func (l *oneOrMore[T]) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '{' {
		return transport.Unmarshal(b, (*[]T)(l))
	}
	var one T
	if err := transport.Unmarshal(b, &one); err != nil {
		return err
	}
	*l = []T{one}
	return nil
}

// An NFTEvent is a sale, listing, bid or the like.
type NFTEvent struct {
	Description string          `json:"description"` // for people; may be empty
	Type        txtype.Type     `json:"type"`        // such as [txtype.NFTSale]
	Source      string          `json:"source"`      // the marketplace
	Amount      uint64          `json:"amount"`      // lamports
	Fee         uint64          `json:"fee"`         // of the transaction, in lamports
	FeePayer    types.Address   `json:"feePayer"`    // of the transaction
	Signature   types.Signature `json:"signature"`   // of the transaction
	Slot        uint64          `json:"slot"`        // of the block
	Timestamp   types.Time      `json:"timestamp"`   // of the block
	SaleType    SaleType        `json:"saleType"`    // may be empty
	Buyer       types.Address   `json:"buyer"`       // empty where there is none
	Seller      types.Address   `json:"seller"`      // empty where there is none
	Staker      types.Address   `json:"staker"`      // empty where there is none
	NFTs        []NFT           `json:"nfts"`        // those that it is about
}

// UnmarshalJSON reads an amount that is text or a number.
func (n *NFTEvent) UnmarshalJSON(b []byte) error {
	type plain NFTEvent // without this method
	wire := struct {
		*plain
		Amount *lamports `json:"amount"`
	}{(*plain)(n), (*lamports)(&n.Amount)}
	return transport.Unmarshal(b, &wire)
}

// An NFT is one that an [NFTEvent] is about.
type NFT struct {
	Mint          types.Address `json:"mint"`          // which NFT
	TokenStandard TokenStandard `json:"tokenStandard"` // which kind; empty when the service did not say
}

// A SaleType says how an NFT is sold. Words without a constant here pass through.
type SaleType string

// The sale types.
const (
	AuctionSale     SaleType = "AUCTION"
	InstantSale     SaleType = "INSTANT_SALE"
	OfferSale       SaleType = "OFFER"
	GlobalOfferSale SaleType = "GLOBAL_OFFER"
	MintSale        SaleType = "MINT"
	UnknownSale     SaleType = "UNKNOWN"
)

// A SwapEvent is an exchange of tokens, or of SOL and tokens. The inputs are
// what the user gave, the outputs what the user got.
type SwapEvent struct {
	NativeInput  *NativeBalanceChange  `json:"nativeInput"`  // nil when no SOL went in
	NativeOutput *NativeBalanceChange  `json:"nativeOutput"` // nil when no SOL came out
	TokenInputs  []TokenBalanceChange  `json:"tokenInputs"`  // empty when no tokens went in
	TokenOutputs []TokenBalanceChange  `json:"tokenOutputs"` // empty when no tokens came out
	TokenFees    []TokenBalanceChange  `json:"tokenFees"`    // paid in tokens; empty when there were none
	NativeFees   []NativeBalanceChange `json:"nativeFees"`   // paid in SOL; empty when there were none
	InnerSwaps   []InnerSwap           `json:"innerSwaps"`   // the steps, when there was more than one
}

// A NativeBalanceChange is an amount of SOL that an account gave or got.
type NativeBalanceChange struct {
	Account types.Address `json:"account"` // the one whose SOL it was or became
	Amount  uint64        `json:"amount"`  // lamports; sent as text or as a number
}

// UnmarshalJSON reads an amount that is text or a number.
func (n *NativeBalanceChange) UnmarshalJSON(b []byte) error {
	type plain NativeBalanceChange // without this method
	wire := struct {
		*plain
		Amount *lamports `json:"amount"`
	}{(*plain)(n), (*lamports)(&n.Amount)}
	return transport.Unmarshal(b, &wire)
}

// An InnerSwap is one step of a swap.
type InnerSwap struct {
	NativeInput  *NativeBalanceChange `json:"nativeInput"`  // nil when no SOL went in, or the service did not say
	NativeOutput *NativeBalanceChange `json:"nativeOutput"` // nil when no SOL came out, or the service did not say
	TokenInputs  []TokenTransfer      `json:"tokenInputs"`  // empty when no tokens went in
	TokenOutputs []TokenTransfer      `json:"tokenOutputs"` // empty when no tokens came out
	TokenFees    []TokenTransfer      `json:"tokenFees"`    // paid in tokens; empty when there were none
	NativeFees   []NativeTransfer     `json:"nativeFees"`   // paid in SOL; empty when there were none
	ProgramInfo  ProgramInfo          `json:"programInfo"`  // who made the step
}

// ProgramInfo says which program made a step of a swap.
type ProgramInfo struct {
	Source          string        `json:"source"`          // the marketplace or exchange, in words of the service
	Account         types.Address `json:"account"`         // of the program
	ProgramName     string        `json:"programName"`     // in words of the service
	InstructionName string        `json:"instructionName"` // of the instruction that did it
}

// A CompressedNFTEvent is what happened to a compressed NFT or its tree. All
// members but Type and TreeID may be absent: texts are empty then, and numbers
// nil.
type CompressedNFTEvent struct {
	Type                  txtype.Type     `json:"type"`                  // such as [txtype.CompressedNFTMint]
	TreeID                types.Address   `json:"treeId"`                // the tree that holds the NFT
	AssetID               types.Address   `json:"assetId"`               // the NFT
	LeafIndex             *uint64         `json:"leafIndex"`             // where in the tree, from 0
	InstructionIndex      *int            `json:"instructionIndex"`      // which instruction of the transaction did it, from 0
	InnerInstructionIndex *int            `json:"innerInstructionIndex"` // nil when the instruction itself did it
	NewLeafOwner          types.Address   `json:"newLeafOwner"`          // the wallet that has the NFT now
	OldLeafOwner          types.Address   `json:"oldLeafOwner"`          // the wallet that had it
	Seq                   *uint64         `json:"seq"`                   // of the tree's changes
	NewLeafDelegate       types.Address   `json:"newLeafDelegate"`       // who else may move it now
	OldLeafDelegate       types.Address   `json:"oldLeafDelegate"`       // who else could
	TreeDelegate          types.Address   `json:"treeDelegate"`          // who may mint into the tree besides its creator
	Metadata              json.RawMessage `json:"metadata"`              // as it came; nil when there is none
	UpdateArgs            json.RawMessage `json:"updateArgs"`            // as it came; nil when there are none
}

// A SetAuthorityEvent hands the authority over an account to someone else.
type SetAuthorityEvent struct {
	Account               types.Address `json:"account"`               // the one that is handed over
	From                  types.Address `json:"from"`                  // who had the authority
	To                    types.Address `json:"to"`                    // who has it now; empty when the service did not say
	InstructionIndex      *int          `json:"instructionIndex"`      // nil when the service did not say
	InnerInstructionIndex *int          `json:"innerInstructionIndex"` // nil when the instruction itself did it
}

// CompressionRewards are paid to those who index compressed NFTs.
type CompressionRewards struct {
	Amount uint64 `json:"amount"` // lamports
}

// UnmarshalJSON reads an amount that is text or a number.
func (r *CompressionRewards) UnmarshalJSON(b []byte) error {
	wire := struct {
		Amount *lamports `json:"amount"`
	}{(*lamports)(&r.Amount)}
	return transport.Unmarshal(b, &wire)
}
