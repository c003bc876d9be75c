// Command warmcall makes calls twice and writes the coverage of the second time, for
// TestFunctionsOfACall. Its arguments are a call, an answer and a directory, for each call.
package main

import (
	"context"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/coverage"
	"slices"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func main() {
	for args := range slices.Chunk(os.Args[1:], 3) {
		warm(args[0], args[1], args[2])
	}
}

func warm(kind, answer, dir string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(answer))
	}))
	defer server.Close()
	cfg := types.Config{APIKey: types.Key("key"), RPCURL: server.URL, WalletURL: server.URL}
	const owner = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
	call := func() (err error) { return nil }
	switch kind {
	case "listing":
		client, err := compressed.New(cfg)
		if err != nil {
			log.Fatal(err)
		}
		call = func() error {
			for _, err := range client.AccountsByOwner(context.Background(), owner, nil).All() {
				if err != nil {
					return err
				}
			}
			return nil
		}
	case "read":
		client, err := wallet.New(cfg)
		if err != nil {
			log.Fatal(err)
		}
		call = func() error {
			_, err := client.Identity(context.Background(), "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664")
			return err
		}
	}
	for range 2 {
		if err := coverage.ClearCounters(); err != nil {
			log.Fatal(err)
		}
		if err := call(); err != nil {
			log.Fatal(err)
		}
	}
	if err := coverage.WriteMetaDir(dir); err != nil {
		log.Fatal(err)
	}
	if err := coverage.WriteCountersDir(dir); err != nil {
		log.Fatal(err)
	}
	if err := coverage.ClearCounters(); err != nil {
		log.Fatal(err)
	}
}
