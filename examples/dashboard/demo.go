package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
)

// newFake returns a fake, in which a wallet has four months of history until now.
func newFake(clock func() time.Time) (*fake.Service, error) {
	data, err := embedded.ReadFile("assets/world.json")
	if err != nil {
		return nil, err
	}
	world, err := fake.ParseWorld(data) // the wallets and their balances
	if err != nil {
		return nil, err
	}
	addHistory(world, clock())
	addSpam(world, clock())
	return fake.New(&fake.Options{World: world, Clock: clock}), nil
}

// addHistory adds the transactions of the wallet: pay, regular swaps, deposits and withdrawals.
func addHistory(world *fake.World, now time.Time) {
	const pool, exchange, friend = fake.ProgramAddress, fake.ExchangeAddress, fake.CollectorAddress
	random := rand.New(rand.NewPCG(7, 7)) // the same in every run
	for _, plan := range []struct {
		day, every int // days ago, and how often since then; 0 means once
		party      types.Address
		in, out    string
	}{
		{118, 30, exchange, "6500 USDC", ""},
		{116, 7, pool, "8.4 SOL", "1198 USDC"},
		{114, 11, friend, "", "350 USDC"},
		{113, 5, exchange, "", "0.9 SOL"},
		{112, 0, pool, "0.115 WBTC", "12100 USDC"},
		{105, 0, pool, "3000 JUP", ""},
		{96, 0, exchange, "1.6 WETH", ""},
		{88, 0, exchange, "120 SOL", ""},
		{79, 0, pool, "33 JitoSOL", "40 SOL"},
		{66, 0, exchange, "", "95 SOL"},
		{58, 17, pool, "9000000 Bonk", "134 USDC"},
		{52, 0, exchange, "21000 USDC", ""},
		{44, 0, pool, "4800 PYTH", "541 USDC"},
		{37, 0, exchange, "", "0.06 WBTC"},
		{29, 0, exchange, "70 SOL", ""},
		{26, 9, friend, "1.25 SOL", ""},
		{21, 0, exchange, "", "14500 USDC"},
		{15, 0, pool, "500 $WIF", "417 USDC"},
		{12, 0, exchange, "45 SOL", ""},
		{6, 0, exchange, "", "30 SOL"},
		{4, 0, exchange, "9200 USDC", ""},
		{2, 0, pool, "240 JTO", "415 USDC"},
		{1, 0, friend, "500 USDC", ""},
	} {
		for day := plan.day; day > 0; day -= plan.every {
			tx := fake.Transaction{
				BlockTime: types.Time{Time: now.AddDate(0, 0, -day).Add(time.Duration(random.IntN(600)) * time.Minute)},
				FeePayer:  fake.WalletAddress,
			}
			varied := 1.0
			if plan.every > 0 {
				varied += random.Float64()/4 - 0.125
			}
			if plan.in != "" {
				tx.Transfers = append(tx.Transfers, transfer(world, plan.party, fake.WalletAddress, plan.in, varied))
			}
			if plan.out != "" {
				tx.Transfers = append(tx.Transfers, transfer(world, fake.WalletAddress, plan.party, plan.out, varied))
			}
			switch {
			case len(tx.Transfers) == 2:
				tx.Type = txtype.Swap
			case plan.in != "":
				tx.FeePayer = plan.party
			}
			world.Transactions = append(world.Transactions, tx)
			if plan.every == 0 {
				break
			}
		}
	}
}

// transfer returns a transfer of about an amount, such as 1.5 SOL.
func transfer(world *fake.World, from, to types.Address, amount string, varied float64) fake.Transfer {
	number, symbol, _ := strings.Cut(amount, " ")
	t := fake.Transfer{From: from, To: to, Amount: decimal.RequireFromString(number).Mul(decimal.NewFromFloat(varied)).Round(3)}
	for _, token := range world.Wallets[0].Tokens {
		if token.Symbol == symbol {
			t.Mint = token.Mint
		}
	}
	return t
}

// addSpam adds tokens without a price, which strangers have sent to the wallet.
func addSpam(world *fake.World, now time.Time) {
	owner := &world.Wallets[0]
	for i, name := range []string{
		"claim-jup.example: 5000 $ gift", "SOL airdrop, open bonus.example", "USDC reward of bonus.example", "WIF 2.0", "Elon Musk Token", "free-mint.example",
		"Your wallet has won", "Bonk2", "x1000 soon", "Grandma's lucky coin", "Dog in a hat in a box", "Moon ticket of 7 lucky holders",
	} {
		mint, amount := types.AddressOf([32]byte{9, byte(i)}), decimal.NewFromInt(int64(777*(i+1)))
		owner.Tokens = append(owner.Tokens, fake.Token{Mint: mint, Symbol: fmt.Sprintf("GIFT%d%s", i+1, strings.Repeat("W", i*i/4)), Name: name, Amount: amount})
		world.Transactions = append(world.Transactions, fake.Transaction{
			BlockTime: types.Time{Time: now.Add(-time.Duration(i*i*11+5) * time.Hour)},
			Transfers: []fake.Transfer{{From: types.AddressOf([32]byte{11, byte(i)}), To: owner.Address, Mint: mint, Amount: amount}},
		})
	}
}
