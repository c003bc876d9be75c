package progress

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// USDC is the mint of USDC on mainnet.
const USDC types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// demo is a round of transactions of a wallet. It leaves the balances as they were, since the
// first transfer also pays the fees of the others.
const demo = `[
	{"transfers": [{"from": "EXCHANGE", "to": "OWNER", "amount": 0.250015}]},
	{"type": "SWAP", "transfers": [{"from": "OWNER", "to": "POOL", "amount": 0.25}, {"from": "POOL", "to": "OWNER", "mint": "USDC", "amount": 35.6}]},
	{"type": "SWAP", "transfers": [{"from": "OWNER", "to": "POOL", "mint": "USDC", "amount": 35.6}, {"from": "POOL", "to": "OWNER", "amount": 0.25}]},
	{"transfers": [{"from": "OWNER", "to": "EXCHANGE", "amount": 0.25}]}
]`

// Demo adds a transaction of a wallet to a fake whenever an interval has passed, until ctx
// ends. It can run for weeks.
func Demo(ctx context.Context, service *fake.Service, owner types.Address, interval time.Duration) {
	text := strings.NewReplacer("OWNER", string(owner), "EXCHANGE", string(fake.ExchangeAddress), "POOL", string(fake.ProgramAddress),
		"USDC", string(USDC)).Replace(demo)
	var steps []fake.Transaction
	// an owner that is not an address is refused before anything happens
	_ = json.Unmarshal([]byte(text), &steps)
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(interval):
			service.Happen(steps[i%len(steps)])
		}
	}
}
