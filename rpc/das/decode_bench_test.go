package das

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// decodePage decodes a page of a listing with its envelope.
func decodePage(body []byte, unmarshal func([]byte, any) error) (*AssetPage, error) {
	var in struct {
		Result listedAssets `json:"result"`
	}
	if err := unmarshal(body, &in); err != nil {
		return nil, err
	}
	return &AssetPage{Page: types.Page[Asset]{Items: in.Result.list().items(), Cursor: in.Result.list().Cursor, Slot: in.Result.Slot}}, nil
}

// assetPage is a page of n assets as the service sends them: NFTs, compressed or not,
// and one fungible token with a price in four. Its seed is fixed.
func assetPage(n int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	address := func() types.Address {
		var key [32]byte
		for i := range key {
			key[i] = byte(random.Uint32())
		}
		return types.AddressOf(key)
	}
	items := make([]string, n)
	for i := range items {
		id := address()
		token := ""
		if i%4 == 0 {
			token = fmt.Sprintf(`,"token_info":{"symbol":"MUP","balance":%d,"supply":18446744073709551615,"decimals":9,"token_program":"`+string(types.TokenProgram)+`",`+
				`"associated_token_address":"%s","price_info":{"price_per_token":0.00%d,"total_price":%d.25,"currency":"USDC"}}`, random.Uint64(), address(), random.Uint32(), i)
		}
		items[i] = fmt.Sprintf(`{"interface":"V1_NFT","id":"%s","content":{"$schema":"https://schema.metaplex.com/nft1.0.json","json_uri":"https://meta.example/%d.json",`+
			`"files":[{"uri":"https://img.example/%d.png","cdn_uri":"https://cdn.example/%d.png","mime":"image/png"}],"metadata":{"attributes":[{"value":"Red","trait_type":"Background"},`+
			`{"value":%d,"trait_type":"Level"},{"value":"Gold","trait_type":"Crown"}],"description":"%s","name":"Kit #%d","symbol":"KIT","token_standard":"NonFungible"},`+
			`"links":{"image":"https://img.example/%d.png","external_url":"https://kit.example/%d"}},"authorities":[{"address":"%s","scopes":["full"]}],`+
			`"compression":{"eligible":false,"compressed":true,"data_hash":"%s","creator_hash":"%s","asset_hash":"%s","tree":"%s","seq":%d,"leaf_id":%d},`+
			`"grouping":[{"group_key":"collection","group_value":"%s"}],"royalty":{"royalty_model":"creators","target":null,"percent":0.05,"basis_points":500,"primary_sale_happened":false,"locked":false},`+
			`"creators":[{"address":"%s","share":100,"verified":true}],"ownership":{"frozen":false,"delegated":false,"delegate":null,"ownership_model":"single","owner":"%s"},`+
			`"supply":{"print_max_supply":0,"print_current_supply":0,"edition_nonce":null},"mutable":true,"burnt":false%s}`,
			id, i, i, i, i, strings.Repeat("made up ", random.IntN(30)), i, i, i, address(), address(), address(), address(), address(), i, i, address(), address(), address(), token)
	}
	return []byte(`{"jsonrpc":"2.0","id":"1","result":{"last_indexed_slot":365750752,"total":1000,"limit":1000,"cursor":"` + string(address()) + `","items":[` + strings.Join(items, ",") + `]}}`)
}

func TestBothDecodersReadTheSameAssets(t *testing.T) {
	t.Parallel()
	body := assetPage(40)
	ours, err := decodePage(body, decode.JSON)
	require.NoError(t, err)
	other, err := decodePage(body, json.Unmarshal)
	require.NoError(t, err)
	require.Len(t, ours.Items, 40)
	require.Equal(t, other, ours)
}

func listings() []bench.Listing {
	body := assetPage(1000)
	with := func(unmarshal func([]byte, any) error) func() error {
		return func() error {
			_, err := decodePage(body, unmarshal)
			return err
		}
	}
	return []bench.Listing{{Name: "Assets", Items: 1000, Allocs: 28, Ours: with(decode.JSON), Other: with(json.Unmarshal)}}
}

func BenchmarkDecode(b *testing.B) { bench.Decode(b, listings()) }
