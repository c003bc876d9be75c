package types

// A Commitment is the level of finality of the state that a node reads. Empty means
// finalized, the default of nodes.
type Commitment string

// The commitment levels, from the most recent state to the most final.
const (
	CommitmentProcessed Commitment = "processed" // the node's latest block, which may be dropped
	CommitmentConfirmed Commitment = "confirmed" // voted on by a supermajority of the stake
	CommitmentFinalized Commitment = "finalized" // rooted: cannot be rolled back
)

// An Encoding is the encoding of account data or of a transaction in a response.
type Encoding string

// The encodings.
const (
	EncodingJSON       Encoding = "json"        // transactions only: JSON, not parsed
	EncodingJSONParsed Encoding = "jsonParsed"  // parsed by the node where it knows the program
	EncodingBase64     Encoding = "base64"      // any data
	EncodingBase64Zstd Encoding = "base64+zstd" // any account data, compressed

	// EncodingBase58 takes at most 128 bytes: a token account has more, and needs a data slice.
	EncodingBase58 Encoding = "base58"
)

// A Direction is the direction of a transfer from the view of the requested wallet. Other values
// than the constants pass through.
type Direction string

// The directions.
const (
	DirectionIn  Direction = "in"  // the wallet received it
	DirectionOut Direction = "out" // the wallet sent it
)

// A TokenAccountHistory selects transactions that name a token account of a wallet, but not the
// wallet itself, such as incoming token transfers. An empty option means
// TokenAccountHistoryChanged. In packages webhooks and webhooks/keeper, it means
// TokenAccountHistoryNone, because the other choices make a listing cost ten times as much.
// Transactions before slot 111,491,819 may be missing. Other values than the constants pass
// through.
type TokenAccountHistory string

// The selections of transactions of token accounts.
const (
	TokenAccountHistoryNone    TokenAccountHistory = "none"           // no transactions
	TokenAccountHistoryChanged TokenAccountHistory = "balanceChanged" // with a changed balance
	TokenAccountHistoryAll     TokenAccountHistory = "all"            // also approvals and spam
)

// The genesis hashes of the networks, which rpc.Client.GenesisHash returns. A private network has
// another hash.
const (
	MainnetGenesisHash Hash = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
	DevnetGenesisHash  Hash = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"
	TestnetGenesisHash Hash = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
)

// Programs of the chain.
const (
	SystemProgram          Address = "11111111111111111111111111111111" // also means "no address"
	VoteProgram            Address = "Vote111111111111111111111111111111111111111"
	StakeProgram           Address = "Stake11111111111111111111111111111111111111"
	ComputeBudgetProgram   Address = "ComputeBudget111111111111111111111111111111"
	MemoProgram            Address = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
	TokenProgram           Address = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
	Token2022Program       Address = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
	AssociatedTokenProgram Address = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"
	CompressedTokenProgram Address = "cTokenmWW8bLPjZEBAUgYy3zKxQZW6VKi7bqNFEVv3m"
	BubblegumProgram       Address = "BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY" // compressed NFTs
)

// Native SOL has no mint. The service uses one of these in place of a mint: the comment of each
// field says which. WrappedSOL can also mean wrapped SOL.
const (
	// SOL is native SOL in the balance changes of a history.
	SOL Address = "SOL"

	// WrappedSOL is the mint of wrapped SOL, and native SOL in balances.
	WrappedSOL Address = "So11111111111111111111111111111111111111112"

	// NativeSOLMint is native SOL in requests for a past balance, and in transfers.
	// No mint has this address.
	NativeSOLMint Address = "So11111111111111111111111111111111111111111"
)
