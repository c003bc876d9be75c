package fake

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/internal/golden"
)

// operations has the answer to each operation by its wire name: a JSON-RPC
// method, or an HTTP method and a route.
//
// A method that only reads needs no row: it is answered from internal/golden.
var operations = sync.OnceValue(func() map[string]operation {
	return map[string]operation{
		"getCompressedAccountsByOwner":           (*Service).compressedAccountsByOwner,
		"getCompressedAccountsByOwnerV2":         (*Service).compressedAccountsByOwnerV2,
		"getCompressedTokenAccountsByDelegateV2": (*Service).compressedTokenAccountsByDelegateV2,
		"getCompressedTokenAccountsByDelegate":   (*Service).compressedTokenAccountsByDelegate,
		"getCompressedMintTokenHolders":          (*Service).compressedHolders,
		"getCompressedTokenAccountsByOwner":      compressedTokenAccountsByOwner("getCompressedTokenAccountsByOwner", false),
		"getCompressedTokenAccountsByOwnerV2":    compressedTokenAccountsByOwner("getCompressedTokenAccountsByOwnerV2", true),
		"getCompressedTokenBalancesByOwner":      compressedBalancesByOwner("getCompressedTokenBalancesByOwner", "token_balances"),
		"getCompressedTokenBalancesByOwnerV2":    compressedBalancesByOwner("getCompressedTokenBalancesByOwnerV2", "items"),
		"getTokenAccounts":                       indexedAccounts,
		"getTokenAccountsByDelegate":             tokenAccountsByDelegate,

		"getAccountInfo":            accountInfo,
		"getBalance":                ofWallet("getBalance", 1, balanceOf),
		"getBlockTime":              blockTimeOf,
		"getClusterNodes":           clusterNodes,
		"getMultipleAccounts":       multipleAccounts,
		"getSlot":                   newestSlot,
		"getSignatureStatuses":      signatureStatuses,
		"getSignaturesForAddress":   ofWallet("getSignaturesForAddress", 1, signaturesOf),
		"getTokenAccountsByOwner":   ofWallet("getTokenAccountsByOwner", 2, tokenAccountsByOwner),
		"getTokenAccountsByOwnerV2": ofWallet("getTokenAccountsByOwnerV2", 2, tokenAccountsByOwnerV2),
		"getTokenAccountBalance":    tokenAccountBalance,
		"getTokenLargestAccounts":   ofMint("getTokenLargestAccounts", "could not find mint", "Token mint could not be unpacked", largestAccounts),
		"getTokenSupply":            ofMint("getTokenSupply", "could not find account", "not a Token mint", tokenSupply),
		"getTransaction":            transactionOf,
		"getTransactionsForAddress": ofWallet("getTransactionsForAddress", 1, transactionsForAddress),
		"getTransfersByAddress":     ofWallet("getTransfersByAddress", 1, transfersByAddress),

		"GET /v1/wallet/{wallet}/balance-at": balanceAt,
		"GET /v1/wallet/{wallet}/balances":   balances,
		"GET /v1/wallet/{wallet}/funded-by":  fundedBy,
		"GET /v1/wallet/{wallet}/history":    history,
		"GET /v1/wallet/{wallet}/identity":   identityOf,
		"GET /v1/wallet/{wallet}/transfers":  transfers,
		"POST /v1/wallet/batch-identity":     batchIdentity,

		"POST /v0/transactions":                    (*Service).parsedTransactions,
		"GET /v0/addresses/{address}/transactions": (*Service).parsedHistory,

		"POST /v1/parsed-events/transactions":        fromFile("parsed/transactions"),
		"POST /v1/parsed-events/transaction-history": fromFile("parsed/history"),

		"GET /v0/webhooks":                (*Service).listWebhooks,
		"POST /v0/webhooks":               (*Service).createWebhook,
		"GET /v0/webhooks/{webhookID}":    (*Service).getWebhook,
		"PUT /v0/webhooks/{webhookID}":    (*Service).replaceWebhook,
		"PATCH /v0/webhooks/{webhookID}":  (*Service).setWebhookActive,
		"DELETE /v0/webhooks/{webhookID}": (*Service).deleteWebhook,
	}
})

// An operation answers a call.
type operation func(s *Service, c *call) (result []byte, refused *refusal)

// A call is a request for an operation.
type call struct {
	params json.RawMessage   // of JSON-RPC
	path   map[string]string // the values of the placeholders in a route
	query  *query            // of REST
	body   []byte            // of REST
	json   bool              // whether the body is declared as JSON
}

// A refusal is the reason why an operation fails. Each API words it differently.
type refusal struct {
	code    int // the HTTP status, or the code of JSON-RPC
	message string
	details string // text for REST, JSON for JSON-RPC
}

// methodNamed returns a JSON-RPC method, or nil.
func methodNamed(name string) operation {
	if op := operations()[name]; op != nil && !strings.Contains(name, " ") {
		return op
	}
	return fromMethod(name)
}

// fromMethod answers every call of a method with its golden answer. It is nil if there
// is none.
func fromMethod(name string) operation {
	if _, found := golden.Method(name, nil); !found {
		return nil
	}
	return pages(shaped(name))
}

// routed returns the operation that a request is for, or nil, and the values of
// the placeholders in its route.
func routed(r *http.Request) (operation, map[string]string) {
	_, op, values := route(r)
	return op, values
}

// route is [routed] with the name of the operation.
func route(r *http.Request) (name string, op operation, values map[string]string) {
	path := r.URL.EscapedPath()
	if strings.HasPrefix(path, "/v0/") { // some clients end these with a slash
		path = strings.TrimSuffix(path, "/")
	}
	name = r.Method + " " + path
	if op := operations()[name]; op != nil {
		return name, op, nil
	}
	for name, op := range operations() {
		if route, ok := strings.CutPrefix(name, r.Method+" "); ok {
			if values := match(route, path); values != nil {
				return name, op, values
			}
		}
	}
	return name, nil, nil
}

// operationsOf returns the names of the operations that a request is for.
func operationsOf(r *http.Request, body []byte) []string {
	if r.URL.Path != "/" {
		name, _, _ := route(r)
		return []string{name}
	}
	var names []string
	for _, c := range callsOf(body) {
		names = append(names, c.Method)
	}
	return names
}

// callsOf reads the calls in a JSON-RPC request, as far as they can be read.
func callsOf(body []byte) []wireCall {
	var calls []wireCall
	if json.Unmarshal(body, &calls) == nil {
		return calls
	}
	var single wireCall
	_ = json.Unmarshal(body, &single) // of another type: without a method
	return []wireCall{single}
}

type wireCall struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// firstID returns the id of the first call, nil if it has none.
func firstID(body []byte) json.RawMessage {
	if calls := callsOf(body); len(calls) > 0 {
		return calls[0].ID
	}
	return nil
}

// match returns the values of the placeholders of a route in a path, or nil.
func match(route, path string) map[string]string {
	names, elements := strings.Split(route, "/"), strings.Split(path, "/")
	if len(names) != len(elements) {
		return nil
	}
	values := map[string]string{}
	for i, name := range names {
		value, err := url.PathUnescape(elements[i])
		switch {
		case strings.HasPrefix(name, "{") && value != "" && err == nil:
			values[strings.Trim(name, "{}")] = value
		case name != elements[i]:
			return nil
		}
	}
	return values
}

// constant answers every call with body, or with the result within it.
func constant(body []byte) operation {
	if envelope, isObject := object(body); isObject && envelope["jsonrpc"] != nil && envelope["result"] != nil {
		body = envelope["result"]
	}
	return func(*Service, *call) ([]byte, *refusal) { return body, nil }
}

// fromFile answers every call with a golden file.
func fromFile(name string) operation {
	body, _ := golden.Answer(name)
	return constant(body)
}

// isJSON reports whether a Content-Type is that of JSON, in whatever letter case
// and with whatever parameters.
func isJSON(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(media), "application/json")
}
