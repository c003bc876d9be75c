package fakeapi

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/fakeapi/assets"
	"github.com/solwire/solwire-go/internal/fakeapi/hooks"
	"github.com/solwire/solwire-go/internal/fakeapi/indexer"
	"github.com/solwire/solwire-go/internal/fakeapi/node"
	"github.com/solwire/solwire-go/internal/fakeapi/notify"
	"github.com/solwire/solwire-go/internal/fakeapi/walletapi"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// methods are the JSON-RPC methods of all rooms.
var methods = sync.OnceValue(func() map[string]wire.Operation {
	all := map[string]wire.Operation{}
	for _, room := range []map[string]wire.Operation{node.Methods(), indexer.Methods(), assets.Methods()} {
		maps.Copy(all, room)
	}
	return all
})

// Operations returns the names of all operations, sorted: JSON-RPC methods, and HTTP methods
// with routes.
func Operations() []string {
	var all []string
	for _, room := range []map[string]wire.Operation{methods(), walletapi.Routes(), (&hooks.Book{}).Routes()} {
		all = slices.AppendSeq(all, maps.Keys(room))
	}
	all = append(append(all, notify.Methods()...), Upgrade)
	slices.Sort(all)
	return all
}

// An Incoming is a request with its operations.
type Incoming struct {
	*http.Request
	Names []string // of its operations
	Body  []byte
	calls []call // of JSON-RPC

	api     *api
	respond func() Answer
	s       *Service
}

// Respond executes the request.
func (x *Incoming) Respond() Answer {
	w := x.s.World() // only here: queued answers need no world
	a := x.respond()
	a.Body = wire.Patched(w, a.Body)
	return a
}

// Refuse returns an error in the words of the API.
func (x *Incoming) Refuse(status, code int, message string) Answer {
	if x.api == nil {
		return refusal(status, code, message, x.id())
	}
	if status == http.StatusOK && code != 0 { // which REST has no place for
		status = cmp.Or(map[int]int{-32702: http.StatusRequestEntityTooLarge}[code], http.StatusServiceUnavailable)
	}
	return x.api.refuse(&wire.Refusal{Code: status, Message: message})
}

// refusal is an error of JSON-RPC with a status. A code of 0 is the usual one for it.
func refusal(status, code int, message string, id json.RawMessage) Answer {
	usual := map[int]int{400: -32600, 401: -32001, 403: -32003, 404: -32601, 429: -32005, 503: -32002, 504: -32003}
	return Answer{Status: status, Body: failure(&wire.Refusal{Code: cmp.Or(code, usual[status], -32603), Message: message}, id)}
}

// Record returns the request as it is recorded.
func (x *Incoming) Record() Request {
	return Request{x.Names, x.Method, x.Host, x.URL.EscapedPath(), x.URL.Query(), x.Header.Clone(), string(x.Body)}
}

// The key of the Incoming in the context of a request.
type incomingKey struct{}

// ServeHTTP answers one request. Pages of any origin may read the answers in a browser.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS")
		w.Header().Set("Access-Control-Allow-Headers", "*, "+r.Header.Get("Access-Control-Request-Headers"))
		w.WriteHeader(http.StatusNoContent)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "unreadable body", http.StatusBadRequest)
		return
	}
	s.route.Do(func() { s.mux = s.routes() })
	x := &Incoming{Request: r, Body: body, s: s}
	routed := r.Clone(context.WithValue(r.Context(), incomingKey{}, x))
	if strings.HasPrefix(r.URL.Path, "/v0/") { // some clients end these with a slash
		routed.URL.Path, routed.URL.RawPath = strings.TrimSuffix(routed.URL.Path, "/"), strings.TrimSuffix(routed.URL.RawPath, "/")
	}
	if escaped := routed.URL.EscapedPath(); path.Clean(escaped) != escaped { // else redirected
		s.unknown(w, routed)
		return
	}
	s.mux.ServeHTTP(w, routed)
}

// handle answers a request that was routed.
func (s *Service) handle(w http.ResponseWriter, x *Incoming) {
	if !s.answered(w, x) {
		x.Respond().Write(w)
	}
}

// answered records a request, and reports whether a queued answer or Intercept has answered it.
// Messages of WebSocket connections take no queued answers.
func (s *Service) answered(w http.ResponseWriter, x *Incoming) bool {
	s.mu.Lock()
	s.requests = append(s.requests, x.Record())
	if n := len(s.requests); s.Keep > 0 && n > s.Keep {
		s.requests = slices.Delete(s.requests, 0, n-s.Keep)
	}
	if len(s.answers) > 0 && (x.calls == nil || !isUpgrade(x.Request)) {
		a := s.answers[0]
		s.answers = s.answers[1:]
		s.mu.Unlock()
		a.Write(w)
		return true
	}
	s.mu.Unlock()
	return s.Intercept != nil && s.Intercept(w, x)
}

func incoming(r *http.Request) *Incoming {
	x, _ := r.Context().Value(incomingKey{}).(*Incoming)
	return x
}

// routes returns the routes of all APIs.
func (s *Service) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		x := incoming(r)
		if isUpgrade(r) && at(r, rpcHost) {
			s.upgrade(w, x) //nolint:contextcheck // the incoming request has it
			return
		}
		x.calls = callsOf(x.Body)
		x.Names = []string{}
		for _, c := range x.calls {
			x.Names = append(x.Names, c.Method)
		}
		x.respond = func() Answer {
			if !at(r, rpcHost) {
				return invalidPath()
			}
			return s.rpc(x)
		}
		s.handle(w, x)
	})
	for _, of := range []struct {
		api    *api
		routes map[string]wire.Operation
	}{{walletAPI, walletapi.Routes()}, {webhooksAPI, s.book.Routes()}} {
		for name, op := range of.routes {
			mux.HandleFunc(name, func(w http.ResponseWriter, r *http.Request) {
				x := incoming(r)
				x.Names, x.api = []string{name}, of.api
				if strings.Contains(name, " /v1/parsed-events/") {
					x.api = eventsAPI
				}
				x.respond = func() Answer { return s.rest(x, op, r.PathValue) }
				s.handle(w, x)
			})
		}
	}
	mux.HandleFunc("/", s.unknown)
	return mux
}

// unknown answers for a route that does not exist.
func (s *Service) unknown(w http.ResponseWriter, r *http.Request) {
	x := incoming(r)
	x.Names, x.api, x.respond = []string{r.Method + " " + r.URL.EscapedPath()}, walletAPI, invalidPath
	s.handle(w, x)
}

// at reports whether a request is for a host. Without the hosts of this package, as on a
// listener, it is for all.
func at(r *http.Request, host string) bool {
	switch r.Host {
	case rpcHost, walletHost, webhooksHost:
		return r.Host == host
	}
	return true
}

// An api has the differences of the REST APIs.
type api struct {
	host             string
	header           string // that may have the key, as the query may
	unauthorized     string
	limited, details string
	refuse           func(*wire.Refusal) Answer
}

// checkKey refuses a request without a valid key. The first known key counts.
func (a *api) checkKey(r *http.Request) (Answer, bool) {
	unauthorized := &wire.Refusal{Code: http.StatusUnauthorized, Message: a.unauthorized}
	for _, key := range []string{r.Header.Get(a.header), r.URL.Query().Get("api-key")} {
		switch key {
		case Key, DemoKey:
			return Answer{}, false
		case LimitedKey:
			refused := a.refuse(&wire.Refusal{Code: http.StatusTooManyRequests, Message: a.limited, Details: a.details})
			refused.Header = []string{"Retry-After", "2"}
			return refused, true
		case ExpiredKey:
			return a.refuse(unauthorized), true
		}
	}
	return a.refuse(unauthorized), true
}

var walletAPI = &api{
	host:         walletHost,
	header:       "X-Api-Key",
	unauthorized: "API key required. Pass via ?api-key=xxx or X-Api-Key header",
	limited:      "RATE_LIMIT_EXCEEDED",
	details:      "Too many requests. Retry after 2 seconds.",
	refuse: func(r *wire.Refusal) Answer {
		return Answer{Status: r.Code, Body: world.JSON(`{"error":?,"code":?,"details":~}`, r.Message, r.Code, r.Details)}
	},
}

// nodeAPI is JSON-RPC before its body is read.
var nodeAPI = &api{
	host:         rpcHost,
	unauthorized: "Unauthorized",
	limited:      "Too many requests",
	refuse:       func(r *wire.Refusal) Answer { return refusal(r.Code, 0, r.Message, nil) },
}

var webhooksAPI = &api{
	host:         webhooksHost,
	unauthorized: nodeAPI.unauthorized,
	limited:      "Rate limit exceeded",
	refuse: func(r *wire.Refusal) Answer { // a status in the form of a JSON-RPC error
		return refusal(r.Code, map[int]int{400: -32602}[r.Code], r.Message, []byte(`"1"`))
	},
}

// eventsAPI is Parsed Events, which the host of JSON-RPC serves.
var eventsAPI = &api{rpcHost, "", nodeAPI.unauthorized, webhooksAPI.limited, "", func(r *wire.Refusal) Answer {
	return Answer{Status: r.Code, Body: world.Encode(map[string]string{"error": r.Message})}
}}

// rest answers a request for a route.
func (s *Service) rest(x *Incoming, op wire.Operation, value func(string) string) Answer {
	if !at(x.Request, x.api.host) {
		return invalidPath()
	}
	if a, refused := x.api.checkKey(x.Request); refused {
		return a
	}
	query := x.URL.Query()
	query.Del("api-key")
	if x.Method == http.MethodDelete && x.Header.Get("Content-Type") != "" && len(x.Body) == 0 {
		return Answer{Status: http.StatusBadRequest, Body: []byte(`{"statusCode":400,"error":"Bad Request",` +
			`"message":"Body cannot be empty when content-type is set to 'application/json'"}`)}
	}
	c := &wire.Call{World: s.world, Facts: facts.Of(x.Names[0]), Path: value, Body: x.Body}
	c.Query = &wire.Query{Call: c, Values: query}
	s.world.Lock()
	defer s.world.Unlock()
	result := op(c)
	refused := c.Refused
	switch {
	case refused == nil:
		return ok(result)
	case refused.Code < 0: // a code of JSON-RPC
		return x.Refuse(http.StatusOK, refused.Code, refused.Message)
	case x.api == webhooksAPI && refused.Code == http.StatusNotFound && strings.HasPrefix(x.Names[0], "GET /v0/addresses/"):
		return Answer{Status: refused.Code, Body: world.Encode(map[string]string{"error": refused.Message})}
	case x.api == walletAPI && refused.Code == http.StatusBadRequest && refused.Details == "":
		return x.api.refuse(&wire.Refusal{Code: refused.Code, Message: "Invalid request", Details: refused.Message})
	}
	return x.api.refuse(refused)
}
