package das

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// MintExtension decodes an extension of a Token-2022 mint, such as permanent_delegate, into v,
// a pointer. It returns false when the mint does not have the extension.
func (a *Asset) MintExtension(name string, v any) (bool, error) {
	return decodeMember(a.MintExtensions, "mint extension", name, v)
}

// TransferFees are the fees that a Token-2022 mint takes from each transfer.
type TransferFees struct {
	// Authority may change the fees; empty when nobody may.
	Authority types.Address `json:"transfer_fee_config_authority"`

	// WithdrawAuthority may withdraw withheld fees; empty when nobody may.
	WithdrawAuthority types.Address `json:"withdraw_withheld_authority"`

	// RawWithheld is the amount withheld in the mint, in the smallest unit.
	RawWithheld Units `json:"withheld_amount" required:"true"`

	// Older applies before the epoch of Newer.
	Older TransferFee `json:"older_transfer_fee" required:"true"`

	Newer TransferFee `json:"newer_transfer_fee" required:"true"`
}

// A TransferFee is a fee and the epoch from which it applies.
type TransferFee struct {
	Epoch       Units `json:"epoch" required:"true"`
	RawMaximum  Units `json:"maximum_fee" required:"true"`               // in the smallest unit
	BasisPoints Units `json:"transfer_fee_basis_points" required:"true"` // of the amount
}

// Units is a whole number that some indexers send as text.
type Units uint64

// UnmarshalJSON decodes a number or a number in quotes. Null becomes 0.
func (u *Units) UnmarshalJSON(b []byte) error { return (*decode.Uint64)(u).UnmarshalJSON(b) }

// TransferFees returns the transfer fees of a Token-2022 mint; nil when it has none.
func (a *Asset) TransferFees() (*TransferFees, error) {
	return extension[TransferFees](a, "transfer_fee_config")
}

// TokenMetadata is the metadata in a Token-2022 mint itself.
type TokenMetadata struct {
	Name            string        `json:"name"`
	Symbol          string        `json:"symbol"`
	URI             string        `json:"uri"`
	Mint            types.Address `json:"mint"`
	UpdateAuthority types.Address `json:"update_authority"`    // empty when it cannot change
	Additional      [][2]string   `json:"additional_metadata"` // pairs of key and value
}

// TokenMetadata returns the metadata in a Token-2022 mint; nil when it has none.
func (a *Asset) TokenMetadata() (*TokenMetadata, error) {
	return extension[TokenMetadata](a, "metadata")
}

// An Inscription describes data that is inscribed on chain.
type Inscription struct {
	Order          uint64        `json:"order"`          // the number of the inscription
	Size           uint64        `json:"size"`           // in bytes
	ContentType    string        `json:"contentType"`    // a media type
	Encoding       string        `json:"encoding"`       // such as base64
	ValidationHash string        `json:"validationHash"` // of the data, in hex
	DataAccount    types.Address `json:"inscriptionDataAccount"`
	Authority      types.Address `json:"authority"`
	Root           types.Address `json:"root"` // the account that is inscribed; not always sent
}

// Inscription returns the inscription of the asset; nil when it has none, or when it
// was not requested with ShowInscription.
func (a *Asset) Inscription() (*Inscription, error) {
	if isNull(a.InscriptionData) {
		return nil, nil //nolint:nilnil // there is none
	}
	var both struct {
		Inscription
		Content string        `json:"content"` // the names of another indexer
		Hash    string        `json:"validation_hash"`
		Data    types.Address `json:"inscription_data"`
	}
	if err := decode.JSON(a.InscriptionData, &both); err != nil {
		return nil, fmt.Errorf("inscription: %w", err)
	}
	i := both.Inscription
	i.ContentType = cmp.Or(i.ContentType, both.Content)
	i.ValidationHash = cmp.Or(i.ValidationHash, both.Hash)
	i.DataAccount = cmp.Or(i.DataAccount, both.Data)
	return &i, nil
}

// A Plugin is a plugin of a Core asset.
type Plugin struct {
	Authority struct {
		Type    string        `json:"type"`    // such as Owner, UpdateAuthority or Address
		Address types.Address `json:"address"` // empty unless Type is Address
	} `json:"authority"`
	Data   json.RawMessage `json:"data,omitempty"` // specific to the plugin
	Index  uint64          `json:"index"`
	Offset uint64          `json:"offset"` // in the account, in bytes
}

// Plugin returns a plugin of a Core asset, such as royalties or freeze_delegate; nil when the
// asset does not have it.
func (a *Asset) Plugin(name string) (*Plugin, error) {
	p := new(Plugin)
	found, err := decodeMember(a.Plugins, "plugin", name, p)
	if err != nil || !found {
		return nil, err
	}
	dropNull(&p.Data)
	return p, nil
}

// OnChainAttributes returns the attributes in the attributes plugin of a Core asset.
// [Content.Attributes] returns the attributes in its metadata.
func (a *Asset) OnChainAttributes() ([]Attribute, error) {
	p, err := a.Plugin("attributes")
	if p == nil || err != nil {
		return nil, err
	}
	var all []Attribute
	for _, raw := range elements(member(p.Data, "attribute_list")) {
		m := members(raw)
		all = append(all, Attribute{textOf(m["key"]), m["value"]})
	}
	return all, nil
}

func extension[T any](a *Asset, name string) (*T, error) {
	raw := member(a.MintExtensions, name)
	if isNull(raw) {
		return nil, nil //nolint:nilnil // there is none
	}
	v := new(T)
	if err := decode.JSON(raw, v); err != nil {
		return nil, fmt.Errorf("mint extension %s: %w", name, err)
	}
	return v, nil
}

// decodeMember decodes a member of an object and reports whether it is there.
func decodeMember(object json.RawMessage, kind, name string, v any) (bool, error) {
	raw := member(object, name)
	if isNull(raw) {
		return false, nil
	}
	if err := decode.Exact(raw, v); err != nil {
		return false, fmt.Errorf("%s %s: %w", kind, name, err)
	}
	return true, nil
}
