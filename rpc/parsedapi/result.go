package parsedapi

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
	Raw         *tx.Transaction     `json:"rawTransaction"`
}

// A transaction has no UnmarshalJSON, so that it is read once.
type transaction parsed.Transaction

func (r *result) public() parsed.Result {
	p := parsed.Result{
		Signature: r.Signature, ParserStatus: r.Status, Parsed: (*parsed.Transaction)(r.Parsed), ParserError: r.ParserError, Raw: r.Raw,
	}
	if p.Parsed != nil {
		p.Parsed.TransactionError = decode.Present(p.Parsed.TransactionError)
	}
	if p.Raw != nil {
		p.Raw.Signature = r.Signature
	}
	if p.Parsed == nil && p.ParserError == nil {
		p.ParserError = &parsed.ParserError{}
	}
	return p
}
