package main

import (
	"strings"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// walletOf returns a wallet of a World, nil being the default one.
func walletOf(w *fake.World) types.Address {
	switch {
	case w == nil:
	case len(w.Wallets) > 0:
		return w.Wallets[0].Address
	case len(w.TokenAccounts) > 0:
		return w.TokenAccounts[0].Owner
	case len(w.NFTs) > 0:
		return w.NFTs[0].Owner
	}
	return fake.WalletAddress
}

// welcome returns the instructions for the server at base, with a wallet of its World. The
// first line is the URL alone, for programs to read.
func welcome(base string, w *fake.World) string {
	wallet, owner, delegate := walletOf(w), fake.OwnerAddress, fake.DelegateAddress
	if w != nil && w.Preset != fake.PresetDefault { // which lacks these
		owner, delegate = wallet, wallet
	}
	return strings.NewReplacer(
		"BASE", base,
		"WALLET", string(wallet),
		"OWNER", string(owner),
		"DELEGATE", string(delegate),
		"KEY", fake.Key,
	).Replace(text)
}

const text = `BASE
All data is made up. From Go:
  cfg := types.Config{
  	APIKey:      types.Key("KEY"), // limited-key gets 429, expired-key 401
  	RPCURL:      "BASE",
  	WalletURL:   "BASE",
  	WebhooksURL: "BASE",
  }
The examples and the recipes, such as:
  SOLWIRE_URL=BASE go run ./examples/watch
With curl:
  curl 'BASE/v1/wallet/WALLET/balances?limit=3' -H 'X-Api-Key: KEY'
  curl 'BASE/?api-key=KEY' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":"1","method":"getCompressedAccountsByOwner","params":{"owner":"OWNER","limit":2}}'
  curl 'BASE/?api-key=KEY' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":"1","method":"getTokenAccountsByDelegate","params":["DELEGATE",{"programId":"` + string(types.TokenProgram) + `"},{"encoding":"jsonParsed"}]}'
  curl 'BASE/v0/webhooks?api-key=KEY' -H 'Content-Type: application/json' -d '{"webhookURL":"http://127.0.0.1:9000","webhookType":"enhanced","transactionTypes":["ANY"],"accountAddresses":["WALLET"]}'
The latest requests and transactions are kept (-journal).
Unless -every is 0, the wallet, and what webhooks on loopback watch, have an event every few seconds. Press Ctrl+C to stop.
`
