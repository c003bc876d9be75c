package fake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// rpc answers JSON-RPC.
func (s *Service) rpc(r *http.Request, body []byte) answer {
	switch s.keyStatus(r.URL.Query().Get("api-key")) {
	case http.StatusUnauthorized:
		return answer{status: http.StatusUnauthorized, body: failure(&refusal{-32001, "Unauthorized", ""}, nil)}
	case http.StatusTooManyRequests:
		return answer{status: http.StatusTooManyRequests, body: failure(&refusal{-32005, "Too many requests", ""}, nil)}.overLimit()
	}
	if r.Method != http.MethodPost {
		return plainText(http.StatusMethodNotAllowed, "Used HTTP Method is not allowed. POST or OPTIONS is required\n")
	}
	if !isJSON(r.Header.Get("Content-Type")) {
		return plainText(http.StatusUnsupportedMediaType, "Supplied content type is not allowed. Content-Type: application/json is required\n")
	}
	if len(body) > maxBody {
		return answer{status: http.StatusRequestEntityTooLarge, body: failure(&refusal{
			-32701, "Request is too big", `"Exceeded max limit of ` + strconv.Itoa(maxBody) + `"`,
		}, nil)}
	}
	switch body = bytes.TrimSpace(body); {
	case bytes.HasPrefix(body, []byte("{")):
		return ok(s.call(r.Context(), body))
	case bytes.HasPrefix(body, []byte("[")):
		return ok(s.batch(r.Context(), body))
	}
	return answer{status: http.StatusBadRequest, body: failure(parseError(), nil)}
}

func plainText(status int, text string) answer {
	return answer{status: status, body: []byte(text), header: []string{"Content-Type", "text/plain; charset=utf-8"}}
}

func parseError() *refusal { return &refusal{-32700, "Parse error", ""} }

func invalidRequest() *refusal { return &refusal{-32600, "Invalid request", ""} }

// batch answers several calls in their order.
func (s *Service) batch(ctx context.Context, body []byte) []byte {
	var calls []json.RawMessage
	if err := json.Unmarshal(body, &calls); err != nil {
		return failure(parseError(), nil)
	}
	if len(calls) == 0 {
		return failure(invalidRequest(), nil)
	}
	var answers [][]byte
	for _, c := range calls {
		if a := s.call(ctx, c); a != nil {
			answers = append(answers, a)
		}
	}
	if len(answers) == 0 {
		return nil
	}
	return fmt.Appendf(nil, "[%s]", bytes.Join(answers, []byte(",")))
}

// call answers one call. Notifications are not answered.
func (s *Service) call(ctx context.Context, body []byte) []byte {
	if !json.Valid(body) {
		return failure(parseError(), nil)
	}
	members, isObject := object(body)
	id := members["id"]
	var version, method string
	if !isObject || json.Unmarshal(members["jsonrpc"], &version) != nil || version != "2.0" ||
		json.Unmarshal(members["method"], &method) != nil || method == "" {
		return failure(invalidRequest(), nil)
	}
	if !isID(id) {
		return nil
	}
	op := methodNamed(method)
	if op == nil && s.Elsewhere != nil {
		answer, err := s.Elsewhere(ctx, body)
		if err != nil {
			return failure(&refusal{-32603, "Internal error", string(encode(err.Error()))}, id)
		}
		return answer
	}
	if op == nil {
		return failure(&refusal{-32601, "Method not found", ""}, id)
	}
	result, refused := op(s, &call{params: members["params"]})
	if refused != nil {
		return failure(refused, id)
	}
	return fmt.Appendf(make([]byte, 0, len(result)+len(id)+40), `{"jsonrpc":"2.0","result":%s,"id":%s}`, result, id)
}

// isID reports whether id is valid. Calls with another id, or without, are
// notifications.
func isID(id json.RawMessage) bool {
	if len(id) == 0 {
		return false
	}
	_, err := strconv.ParseUint(string(id), 10, 64)
	return err == nil || id[0] == '"' || string(id) == "null"
}

// failure is the answer to a call that failed. A nil id is sent as null.
func failure(r *refusal, id json.RawMessage) []byte {
	type body struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}
	return encode(struct {
		Version string          `json:"jsonrpc"`
		Error   body            `json:"error"`
		ID      json.RawMessage `json:"id"`
	}{"2.0", body{r.code, r.message, json.RawMessage(r.details)}, id})
}
