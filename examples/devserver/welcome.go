package main

import (
	"strings"

	"github.com/solwire/solwire-go/internal/fake"
)

// welcome says how to use the server at base. Its first line is the base URL
// alone, for programs.
func welcome(base string) string {
	return strings.NewReplacer(
		"BASE", base,
		"WALLET", fake.Wallet,
		"OWNER", fake.Owner,
		"DELEGATE", fake.Delegate,
		"KEY", fake.DemoKey,
	).Replace(text)
}

const text = `BASE
This is made-up data for all areas. To ask it from Go:
  cfg := types.Config{
  	APIKey:      "KEY", // or limited-key, which is over its rate (429), or expired-key, which is refused (401)
  	RPCURL:      "BASE",
  	WalletURL:   "BASE",
  	WebhooksURL: "BASE",
  }
From anywhere else:
  curl 'BASE/v1/wallet/WALLET/balances?limit=3' -H 'X-Api-Key: KEY'
  curl 'BASE/?api-key=KEY' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":"1","method":"getCompressedAccountsByOwner","params":{"owner":"OWNER","limit":2}}'
  curl 'BASE/?api-key=KEY' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":"1","method":"getTokenAccountsByDelegate","params":["DELEGATE",{"programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"},{"encoding":"jsonParsed"}]}'
  curl 'BASE/v0/webhooks?api-key=KEY' -H 'Content-Type: application/json' -d '{"webhookURL":"http://127.0.0.1:9000","webhookType":"enhanced","transactionTypes":["ANY"],"accountAddresses":["WALLET"]}'
A webhook gets an event every few seconds (-every). An interrupt ends this.
`
