package fake

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// An rpcError is what a JSON-RPC method answers instead of a result.
type rpcError struct {
	code    int
	message string
	data    string // JSON; empty: none
}

// rpc answers JSON-RPC.
func (s *Service) rpc(r *http.Request, body []byte) answer {
	switch s.keyStatus(r.URL.Query().Get("api-key")) {
	case http.StatusUnauthorized:
		return answer{status: http.StatusUnauthorized, body: failure(&rpcError{code: -32001, message: "Unauthorized"}, nil)}
	case http.StatusTooManyRequests:
		return answer{
			status: http.StatusTooManyRequests,
			body:   failure(&rpcError{code: -32005, message: "Too many requests"}, nil),
			header: []string{"Retry-After", "2"},
		}
	}
	if r.Method != http.MethodPost {
		return inPlain(http.StatusMethodNotAllowed, "Used HTTP Method is not allowed. POST or OPTIONS is required\n")
	}
	switch r.Header.Get("Content-Type") {
	case "application/json", "application/json; charset=utf-8", "application/json;charset=utf-8":
	default:
		return inPlain(http.StatusUnsupportedMediaType, "Supplied content type is not allowed. Content-Type: application/json is required\n")
	}
	if len(body) > maxBody {
		return answer{status: http.StatusRequestEntityTooLarge, body: failure(&rpcError{
			code: -32701, message: "Request is too big", data: `"Exceeded max limit of ` + strconv.Itoa(maxBody) + `"`,
		}, nil)}
	}
	switch body = bytes.TrimSpace(body); {
	case bytes.HasPrefix(body, []byte("{")):
		return ok(s.call(body))
	case bytes.HasPrefix(body, []byte("[")):
		return ok(s.batch(body))
	}
	return answer{status: http.StatusBadRequest, body: failure(parseError(), nil)}
}

func inPlain(status int, text string) answer {
	return answer{status: status, body: []byte(text), header: []string{"Content-Type", "text/plain; charset=utf-8"}}
}

func parseError() *rpcError { return &rpcError{code: -32700, message: "Parse error"} }

// batch answers several calls in their order.
func (s *Service) batch(body []byte) []byte {
	var calls []json.RawMessage
	if err := json.Unmarshal(body, &calls); err != nil {
		return failure(parseError(), nil)
	}
	if len(calls) == 0 {
		return failure(&rpcError{code: -32600, message: "Invalid request"}, nil)
	}
	var answers [][]byte
	for _, c := range calls {
		if a := s.call(c); a != nil {
			answers = append(answers, a)
		}
	}
	if len(answers) == 0 {
		return nil
	}
	out := append([]byte("["), bytes.Join(answers, []byte(","))...)
	return append(out, ']')
}

// call answers one call; a notification gets no answer at all.
func (s *Service) call(body []byte) []byte {
	if !json.Valid(body) {
		return failure(parseError(), nil)
	}
	members, isObject := object(body)
	id := members["id"]
	var version, method string
	if !isObject || json.Unmarshal(members["jsonrpc"], &version) != nil || version != "2.0" ||
		json.Unmarshal(members["method"], &method) != nil || method == "" {
		return failure(&rpcError{code: -32600, message: "Invalid request"}, nil)
	}
	if !isID(id) {
		return nil
	}
	result, e := s.method(method, members["params"])
	if e != nil {
		return failure(e, id)
	}
	out := make([]byte, 0, len(result)+len(id)+40)
	out = append(out, `{"jsonrpc":"2.0","result":`...)
	out = append(out, result...)
	out = append(out, `,"id":`...)
	out = append(out, id...)
	return append(out, '}')
}

func (s *Service) method(name string, params json.RawMessage) ([]byte, *rpcError) {
	switch name {
	case "getCompressedAccountsByOwner":
		return s.compressedAccountsByOwner(params)
	case "getCompressedTokenAccountsByDelegate":
		return s.compressedTokenAccountsByDelegate(params)
	case "getTokenAccountsByDelegate":
		return s.tokenAccountsByDelegate(params)
	}
	return nil, &rpcError{code: -32601, message: "Method not found"}
}

// isID reports whether id is one; a call with another one, or none, is a
// notification.
func isID(id json.RawMessage) bool {
	if len(id) == 0 {
		return false
	}
	_, err := strconv.ParseUint(string(id), 10, 64)
	return err == nil || id[0] == '"' || string(id) == "null"
}

// failure is the answer to a call that failed; without an id it is null.
func failure(e *rpcError, id json.RawMessage) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	type body struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}
	return encode(struct {
		Version string          `json:"jsonrpc"`
		Error   body            `json:"error"`
		ID      json.RawMessage `json:"id"`
	}{"2.0", body{e.code, e.message, json.RawMessage(e.data)}, id})
}
