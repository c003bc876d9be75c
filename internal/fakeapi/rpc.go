package fakeapi

import (
	"bytes"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// A call is one JSON-RPC call as it was sent.
type call struct {
	ID, Params json.RawMessage
	Method     string

	text    []byte
	invalid bool // it is not a request object
}

func isList(body []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) }

// callsOf returns the calls in a JSON-RPC request. Calls that are not valid have the mark invalid.
func callsOf(body []byte) []call {
	var texts []json.RawMessage
	if !isList(body) {
		texts = []json.RawMessage{body}
	} else if json.Unmarshal(body, &texts) != nil {
		return nil
	}
	all := make([]call, len(texts))
	for i, text := range texts {
		c := &all[i]
		members, isObject := wire.Object(bytes.TrimSpace(text))
		*c = call{ID: members["id"], Params: members["params"], text: text}
		c.invalid = !isObject || json.Unmarshal(members["method"], &c.Method) != nil || c.Method == "" || string(members["jsonrpc"]) != `"2.0"`
	}
	return all
}

// id returns the id of the first call, nil if it has none.
func (x *Incoming) id() json.RawMessage {
	if len(x.calls) > 0 {
		return x.calls[0].ID
	}
	return nil
}

// Result returns the answer to the first call with a result.
func (x *Incoming) Result(result []byte) []byte { return success(result, x.id()) }

// success is the answer to a call that succeeded. A nil id is sent as null.
func success(result, id json.RawMessage) []byte {
	return world.JSON(`{"jsonrpc":"2.0","result":?,"id":!}`, result, id)
}

// each answers a JSON-RPC request, a call or a list of calls. A nil answer to a call is not sent.
func each(body []byte, answer func(*call) []byte) []byte {
	if !json.Valid(body) {
		return failure(&wire.Refusal{Code: -32700, Message: "Parse error"}, nil)
	}
	invalid := failure(&wire.Refusal{Code: -32600, Message: "Invalid request"}, nil)
	calls := callsOf(body)
	if len(calls) == 0 {
		return invalid
	}
	var answers []json.RawMessage
	for i := range calls {
		a := invalid
		if !calls[i].invalid {
			a = answer(&calls[i])
		}
		if a != nil {
			answers = append(answers, a)
		}
	}
	switch {
	case len(answers) == 0:
		return nil
	case isList(body):
		return world.JSON("?", answers)
	}
	return answers[0]
}

// rpc answers JSON-RPC.
func (s *Service) rpc(x *Incoming) Answer {
	if a, refused := nodeAPI.checkKey(x.Request); refused {
		return a
	}
	return ok(each(x.Body, s.call))
}

// call answers one call. Notifications are not answered.
func (s *Service) call(c *call) []byte {
	if len(c.ID) == 0 {
		return nil
	}
	op := methods()[c.Method]
	if op == nil {
		return failure(&wire.Refusal{Code: -32601, Message: "Method not found"}, c.ID)
	}
	s.world.Lock()
	defer s.world.Unlock()
	asked := &wire.Call{World: s.world, Agave42: s.Agave42, Facts: facts.Of(c.Method), Params: c.Params}
	result := op(asked)
	if asked.Refused != nil {
		return failure(asked.Refused, c.ID)
	}
	return success(result, c.ID)
}

// failure is the answer to a call that failed. A nil id is sent as null.
func failure(r *wire.Refusal, id json.RawMessage) []byte {
	return world.JSON(`{"jsonrpc":"2.0","error":{"code":?,"message":?,"data":~},"id":!}`, r.Code, r.Message, json.RawMessage(r.Details), id)
}
