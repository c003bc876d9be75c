package rpc

import "github.com/solwire/solwire-go/types"

// StakeInfo is the parsed data of a stake account.
type StakeInfo struct {
	Meta  StakeMeta `json:"meta" required:"true"`
	Stake *Stake    `json:"stake"` // nil while it is not delegated
}

// StakeMeta says who controls a stake account.
type StakeMeta struct {
	Authorized struct {
		Staker     types.Address `json:"staker"`     // may delegate and deactivate
		Withdrawer types.Address `json:"withdrawer"` // may withdraw
	} `json:"authorized"`

	// Lockup is when withdrawals start; zero for no lockup.
	Lockup struct {
		Custodian     types.Address `json:"custodian"` // may change the lockup
		Epoch         uint64        `json:"epoch"`     // withdrawals start after it
		UnixTimestamp int64         `json:"unixTimestamp"`
	} `json:"lockup"`

	// RentExemptReserveLamports are not part of the stake. Wire name: rentExemptReserve.
	RentExemptReserveLamports uint64 `json:"rentExemptReserve,string" required:"true"`
}

// A Stake is a delegation to a vote account.
type Stake struct {
	Delegation struct {
		Voter         types.Address `json:"voter"`                        // the vote account
		StakeLamports uint64        `json:"stake,string" required:"true"` // wire name: stake

		// ActivationEpoch is the epoch in which the stake was delegated.
		ActivationEpoch uint64 `json:"activationEpoch,string" required:"true"`

		// DeactivationEpoch is the epoch in which it was deactivated; math.MaxUint64 while it
		// is active.
		DeactivationEpoch uint64 `json:"deactivationEpoch,string" required:"true"`
	} `json:"delegation" required:"true"`
	CreditsObserved uint64 `json:"creditsObserved" required:"true"` // at the last reward
}

// Stake returns the parsed data of a stake account. It fails for other accounts and
// for data that a node did not parse.
func (d *Data) Stake() (*StakeInfo, error) {
	return view[StakeInfo](d, "stake", "initialized", "delegated")
}

// NonceInfo is the parsed data of a nonce account.
type NonceInfo struct {
	Authority     types.Address `json:"authority"` // may advance the nonce
	Blockhash     types.Hash    `json:"blockhash"` // the nonce, in place of a blockhash
	FeeCalculator struct {
		LamportsPerSignature uint64 `json:"lamportsPerSignature,string" required:"true"`
	} `json:"feeCalculator"`
}

// Nonce returns the parsed data of a nonce account. It fails for other accounts, for accounts
// without a nonce yet, and for data that a node did not parse.
func (d *Data) Nonce() (*NonceInfo, error) { return view[NonceInfo](d, "nonce", "initialized") }

// LookupTableInfo is the parsed data of an address lookup table.
type LookupTableInfo struct {
	Addresses []types.Address `json:"addresses"`

	// Authority may change the table; empty when the table is frozen.
	Authority types.Address `json:"authority"`

	// DeactivationSlot is math.MaxUint64 while the table is active.
	DeactivationSlot uint64 `json:"deactivationSlot,string" required:"true"`

	// LastExtendedSlot is the slot in which addresses were last added.
	LastExtendedSlot uint64 `json:"lastExtendedSlot,string"`

	// LastExtendedStart is the index of the first address that was added then. The new
	// addresses can be used in later slots only. Wire name: lastExtendedSlotStartIndex.
	LastExtendedStart uint64 `json:"lastExtendedSlotStartIndex"`
}

// LookupTable returns the parsed data of an address lookup table. It fails for other
// accounts and for data that a node did not parse.
func (d *Data) LookupTable() (*LookupTableInfo, error) {
	return view[LookupTableInfo](d, "address-lookup-table", "lookupTable")
}
