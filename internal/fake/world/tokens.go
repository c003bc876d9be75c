package world

import "math/big"

// A row is a token and how much of it, in whole tokens, the demo wallet holds.
type row struct {
	mint, symbol, name string
	decimals           int
	amount, price      string
	program            string
}

func rows(all []row) []amount {
	made := make([]amount, len(all))
	for i, r := range all {
		raw, _ := new(big.Rat).SetString(r.amount)
		made[i] = amount{
			Token: Token{Mint: r.mint, Symbol: r.symbol, Name: r.name, Decimals: r.decimals, Price: r.price, Token2022: r.program == token2022},
			raw:   raw.Quo(raw, Units(1, r.decimals)).Num().Uint64(),
		}
	}
	return made
}

// wellKnown are tokens whose mints exist.
func wellKnown() []amount {
	return rows([]row{
		{WrappedSOL, "SOL", "Solana", 9, "1523.754213877", "142.37", spl},
		{USDC, "USDC", "USD Coin", 6, "25310.123456", "0.99985", spl},
		{"Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "USDT", "USDT", 6, "4200.5", "1.00021", spl},
		{"2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo", "PYUSD", "PayPal USD", 6, "1800.25", "0.9997", token2022},
		{"USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA", "USDS", "USDS", 6, "310.004417", "0.99992", spl},
		{"HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr", "EURC", "EURC", 6, "95.12", "1.1416", spl},
		{"A1KLoBrKBde8Ty9qtNQUtq3C2ortoC3u7twggz7sEto6", "USDY", "Ondo US Dollar Yield", 6, "512.993301", "1.0936", spl},
		{"JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", "JUP", "Jupiter", 6, "18250.771204", "0.4417", spl},
		{"27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4", "JLP", "Jupiter Perps", 6, "640.118", "4.3821", spl},
		{"DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "Bonk", "Bonk", 5, "731250441.80012", "0.00001489", spl},
		{"EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm", "$WIF", "dogwifhat", 6, "3377.7", "0.8342", spl},
		{"HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3", "PYTH", "Pyth Network", 6, "15200", "0.1127", spl},
		{"jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL", "JTO", "JITO", 9, "905.330018271", "1.7305", spl},
		{"mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So", "mSOL", "Marinade staked SOL", 9, "88.41120034", "184.92", spl},
		{"J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn", "JitoSOL", "Jito Staked SOL", 9, "120.000000001", "172.06", spl},
		{"bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1", "bSOL", "BlazeStake Staked SOL", 9, "14.2", "168.4", spl},
		{"jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v", "JupSOL", "Jupiter Staked SOL", 9, "33.09", "159.77", spl},
		{"5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm", "INF", "Infinity", 9, "9.71550921", "188.31", spl},
		{"4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R", "RAY", "Raydium", 6, "1210.45", "2.1109", spl},
		{"orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE", "ORCA", "Orca", 6, "402.066", "2.244", spl},
		{"MNDEFzGvMt87ueuHvVU9VcTqsAP5b3fTGPsHuuPA5ey", "MNDE", "Marinade", 9, "5120.5", "0.1088", spl},
		{"85VBFQZC9TZkfaptBWjvUw7YbZjy52A6mjtPGjstQAmQ", "W", "Wormhole Token", 6, "7400", "0.0711", spl},
		{"rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof", "RENDER", "Render Token", 8, "210.77", "3.6102", spl},
		{"hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux", "HNT", "Helium Network Token", 8, "77.00000001", "2.4415", spl},
		{"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU", "SAMO", "Samoyed Coin", 9, "250000", "0.002411", spl},
		{"7GCihgDB8fe6KNjn2MYtkzZcRjQy3t9GHdC8uHYmW2hr", "POPCAT", "POPCAT", 9, "1500.5", "0.3618", spl},
		{"KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS", "KMNO", "Kamino", 6, "9001.1", "0.0574", spl},
		{"DriFtupJYLTosbwoN8koMbEYSx54aFAVLddWsbksjwg7", "DRIFT", "Drift", 6, "611.23", "0.5107", spl},
		{"TNSRxcUxoT9xBG3de7PiJyTDYu7kskLqcpddxnEJAS6", "TNSR", "Tensor", 9, "840.125", "0.1391", spl},
		{"MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5", "MEW", "cat in a dogs world", 5, "812345.67891", "0.002877", spl},
		{"7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", "WETH", "Ether (Portal)", 8, "3.14159265", "2530.11", spl},
		{"3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh", "WBTC", "Wrapped BTC (Portal)", 8, "0.05120017", "104820.5", spl},
		{"cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij", "cbBTC", "Coinbase Wrapped BTC", 8, "0.00777", "104911.25", spl},
		{"9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump", "Fartcoin", "Fartcoin", 6, "441", "1.0218", spl},
		{"HeLp6NuQkmYB4pYWo2zYs22mESHXPQYzXbB8n4V98jwC", "ai16z", "ai16z", 9, "320.4", "0.2113", token2022},
		{"CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo", "BERN", "BonkEarn", 5, "15000", "0.00171", token2022},
		{"MangoCzJ36AjZyKwVj3VnYU4GTonjfVEnJmvvWaxLac", "MNGO", "Mango", 6, "12000.5", "0.01544", spl},
		{"StepAscQoEioFxxWGnh2sLBDFp9d8rvKz2Yp39iDpyT", "STEP", "Step", 9, "950", "0.0262", spl},
		{"SRMuApVNdxXokk5GT7XD5cUUgXMBCoAz2LHeuAoKWRt", "SRM", "Serum", 6, "1002.75", "0.01197", spl},
		{"SLNDpmoWTVADgEdndyvWzroNL7zSi1dF9PC3xHGtPwp", "SLND", "Solend", 6, "140.2", "0.3377", spl},
		{"SHDWyBxihqiCj6YekG2GUr7wqKLeLAMK1gHZck9pL6y", "SHDW", "Shadow Token", 9, "3020.5", "0.1009", spl},
		{"BLZEEuZUBVqFhj8adcCFPJvPVCiCyVmh3hkJMrU8KuJA", "BLZE", "Blaze", 9, "66000", "0.001011", spl},
		{"ATLASXmbPQxBUYbxPsV97usA3fPQYEqzQBUHgiFCUsXx", "ATLAS", "Star Atlas", 8, "505050.5", "0.0009122", spl},
		{"poLisWXnNRwC6oBu1vHiuKQzFjGL4XDSu4g9qjz9qVk", "POLIS", "Star Atlas DAO", 8, "420", "0.1299", spl},
		{"7i5KKsX2weiTkry7jA4ZwSuXGhs5eJBEjY8vVxR4pfRx", "GMT", "STEPN", 9, "700.07", "0.0523", spl},
		{"mb1eu7TzEc71KxDpsmsKoucSSuuoGLv1drys1oP2jh6", "MOBILE", "Helium Mobile", 6, "180000", "0.0004119", spl},
		{"iotEVVZLEywoTn1QdwNPddxPWszn3zFhEot3MfL9fns", "IOT", "Helium IOT", 6, "96000", "0.0001872", spl},
		{"kinXdEcpDQeHPEuQnqmUgtYykqKGVFq6CeVX5iAHJq6", "KIN", "KIN", 5, "41250000.5", "0.000003115", spl},
		{"DUSTawucrTsGU8hcqRdHDCbuYhCPADMLM2VcCb8VnFnQ", "DUST", "DUST Protocol", 9, "12.5", "0.0189", spl},
	})
}

// unusual are made-up tokens of the wallet, each of which a client may get wrong.
func unusual() []amount {
	s := Source(2)
	mint := func() string { return s.Address() }
	return rows([]row{
		{WrappedSOL, "SOL", "Wrapped SOL", 9, "2.5", "142.37", spl},                         // the mint of the native entry
		{mint(), "GRAIN", "Grain", 12, "12345678.123456789012", "1e-7", spl},                // twenty digits
		{mint(), "SPECK", "Speck", 9, "123456789.987654321", "5e-9", spl},                   // eighteen
		{mint(), "ATTO", "Atto", 18, "1.000000000000000001", "0.000000123456", token2022},   // nineteen, of which the first and the last are 1
		{mint(), "MAXI", "Maximal", 0, "18446744073709551615", "", spl},                     // the largest raw amount
		{mint(), "MITE", "Mite", 9, "0.000000001", "0.03", token2022},                       // the smallest unit
		{mint(), "TINY", "Tiny", 18, "0.000000000000000001", "", spl},                       // the smallest unit of 18 decimals
		{mint(), "ÉLAN 🚀", "Élan \"<to>\" the moon & back", 6, "77.7", "0.0125", token2022}, // needs escaping
		{mint(), "", "", 6, "42", "0.9", spl},                                               // a price, no name
		{mint(), "TICKET", "One of ten", 0, "1", "", spl},
	})
}
