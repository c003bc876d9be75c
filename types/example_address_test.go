package types_test

import (
	"fmt"

	"github.com/solwire/solwire-go/types"
)

// The service has several names for native SOL. The mint of wrapped SOL may mean either.
func ExampleAddress_IsNativeSOL() {
	for _, mint := range []types.Address{types.SOL, types.NativeSOLMint, types.WrappedSOL} {
		fmt.Println(mint, mint.IsNativeSOL())
	}
	// Output:
	// SOL true
	// So11111111111111111111111111111111111111111 true
	// So11111111111111111111111111111111111111112 false
}

func ExampleAmount() {
	fmt.Println(types.Amount(1_500_000_000, 9), "SOL") // lamports
	fmt.Println(types.Amount(25_310_123_456, 6), "USDC")
	// Output:
	// 1.5 SOL
	// 25310.123456 USDC
}

func ExampleParseAddress() {
	for _, text := range []string{"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY", "86xCnPeV"} {
		_, err := types.ParseAddress(text)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// address has length 8, not 32 to 44: invalid argument
}

// A PublicKey stands for the type of another library.
type PublicKey [32]byte

func ExampleAddress_Key() {
	publicKey := PublicKey{31: 1}
	err := func() error {
		address := types.AddressOf(publicKey)

		key, err := address.Key()
		if err != nil {
			return err
		}
		publicKey = PublicKey(key)
		fmt.Println(address)
		return nil
	}()
	fmt.Println(publicKey == PublicKey{31: 1}, err)
	// Output:
	// 11111111111111111111111111111112
	// true <nil>
}
