package parsed

import (
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
	"github.com/solwire/solwire-go/types/tx"
)

// A result is a parsed.Result as it is sent.
type result struct {
	Signature   types.Signature     `json:"signature"`
	Status      parsed.Status       `json:"parserStatus"`
	Parsed      *transaction        `json:"parsed"`
	ParserError *parsed.ParserError `json:"parserError"`
	Raw         *rawTransaction     `json:"rawTransaction"`
}

// A transaction has no UnmarshalJSON, so that it is read once.
type transaction parsed.Transaction

// A rawTransaction is a tx.Transaction with the wire names of nodes.
type rawTransaction struct {
	BlockTime types.Time `json:"blockTime"`
	Index     uint64     `json:"transactionIndex"`
	Slot      uint64     `json:"slot"`
	Signed    tx.Signed  `json:"transaction"`
	Meta      meta       `json:"meta"`
	Version   tx.Version `json:"version"`
}

// A meta has no UnmarshalJSON, so that it is read once.
type meta tx.Meta

func (r *result) public() parsed.Result {
	p := parsed.Result{
		Signature: r.Signature, ParserStatus: r.Status, Parsed: (*parsed.Transaction)(r.Parsed), ParserError: r.ParserError, Raw: r.Raw.public(),
	}
	if p.Parsed != nil {
		p.Parsed.Err = decode.Present(p.Parsed.Err)
	}
	if p.Raw != nil {
		p.Raw.Signature = r.Signature
	}
	if p.Parsed == nil && p.ParserError == nil {
		p.ParserError = &parsed.ParserError{}
	}
	return p
}

func (t *rawTransaction) public() *tx.Transaction {
	if t == nil {
		return nil
	}
	t.Meta.Err = decode.Present(t.Meta.Err)
	return &tx.Transaction{
		BlockTime: t.BlockTime, IndexWithinBlock: t.Index, Slot: t.Slot,
		Signed: t.Signed, Meta: tx.Meta(t.Meta), Version: t.Version,
	}
}
