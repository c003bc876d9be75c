package fake

import "net/http"

// rpc answers JSON-RPC.
func (s *Service) rpc(r *http.Request, _ []byte) answer {
	switch s.keyStatus(r.URL.Query().Get("api-key")) {
	case http.StatusUnauthorized:
		return answer{
			status: http.StatusUnauthorized,
			body:   []byte(`{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"},"id":null}`),
		}
	case http.StatusTooManyRequests:
		return answer{
			status: http.StatusTooManyRequests,
			body:   []byte(`{"jsonrpc":"2.0","error":{"code":-32005,"message":"Too many requests"},"id":null}`),
			header: []string{"Retry-After", "2"},
		}
	}
	return ok([]byte(`{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}`))
}
