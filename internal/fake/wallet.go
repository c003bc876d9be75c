package fake

import (
	"fmt"
	"net/http"
)

// wallet answers the routes under /v1/wallet.
func (s *Service) wallet(r *http.Request, body []byte) answer {
	q := &query{values: r.URL.Query(), lenient: s.Lenient}
	switch s.keyStatus(r.Header.Get("X-Api-Key"), q.text("api-key")) {
	case http.StatusUnauthorized:
		return walletRefusal(&refusal{http.StatusUnauthorized, "API key required. Pass via ?api-key=xxx or X-Api-Key header", ""})
	case http.StatusTooManyRequests:
		return walletRefusal(&refusal{http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED", "Too many requests. Retry after 2 seconds."}).overLimit()
	}
	op, values := routed(r)
	if op == nil {
		return invalidPath()
	}
	if r.Method == http.MethodGet && len(body) > 0 && !s.Lenient {
		return walletRefusal(badRequest("GET has no body"))
	}
	result, refused := op(s, &call{path: values, query: q, body: body, json: isJSON(r.Header.Get("Content-Type"))})
	if refused != nil {
		return walletRefusal(refused)
	}
	return ok(result)
}

// walletRefusal is an error as the wallet API sends it.
func walletRefusal(r *refusal) answer {
	return answer{status: r.code, body: encode(struct {
		Error   string `json:"error"`
		Code    int    `json:"code"`
		Details string `json:"details,omitempty"`
	}{r.message, r.code, r.details})}
}

func badRequest(details string) *refusal {
	return &refusal{http.StatusBadRequest, "Invalid request", details}
}

func badAddress(wallet string) *refusal {
	return &refusal{http.StatusBadRequest, "Invalid wallet address", fmt.Sprintf("'%s' is not a valid Solana address", wallet)}
}
