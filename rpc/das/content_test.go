package das_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc/das"
)

// goldenAssets returns the assets of a golden response by their position; null is nil.
func goldenAssets(t *testing.T, name string) []*das.Asset {
	t.Helper()
	b, ok := golden.Answer("das/" + name)
	require.True(t, ok)
	var list struct{ Result struct{ Items []*das.Asset } }
	if json.Unmarshal(b, &list) == nil {
		return list.Result.Items
	}
	var batch struct{ Result []*das.Asset }
	require.NoError(t, json.Unmarshal(b, &batch))
	return batch.Result
}

func TestMetadataOfAnyShape(t *testing.T) {
	t.Parallel()
	odd := goldenAssets(t, "getAssetsByGroup")
	number, null, attributes, object, image, description, file := odd[0].Content, odd[1].Content, odd[2].Content, odd[3].Content, odd[4].Content, odd[5].Content, odd[7].Content
	require.Equal(t, "5", number.Name())
	require.Empty(t, null.Name()+null.Symbol()+null.TokenStandard())
	require.Equal(t, []das.Attribute{
		{Key: "7", Value: json.RawMessage(`1.5`)},
		{Value: json.RawMessage(`true`)},
		{Value: json.RawMessage(`"x"`)},
		{Value: json.RawMessage(`3`)},
		{}, // null
		{Value: json.RawMessage(`{"y":1}`)},
		{Key: "max", Value: json.RawMessage(`18446744073709551615`)},
	}, attributes.Attributes())
	require.Equal(t, []das.Attribute{{Key: "a", Value: json.RawMessage(`1`)}, {Key: "b", Value: json.RawMessage(`[true,null]`)}}, object.Attributes())
	require.Equal(t, "[true,null]", object.Attributes()[1].Text())
	require.Empty(t, image.Image())
	var content struct{ Links json.RawMessage }
	require.NoError(t, json.Unmarshal(image.RawMessage, &content))
	links := content.Links
	require.JSONEq(t, `{"image":{"src":"https://img.example/x.png"}}`, string(links))
	require.Equal(t, "12345678901234567890", description.Description())
	require.Equal(t, []das.File{{URI: "https://img.example/a.mp4", MIME: "image/png"}}, file.Files())
	require.Equal(t, "https://img.example/a.mp4", file.Image(), "the first file that claims to be an image")

	unknown := odd[9]
	require.Equal(t, das.Interface("SomethingNew"), unknown.Interface)
	require.Equal(t, []das.File{{MIME: "1"}}, unknown.Content.Files())
}

func TestContentOfStrangers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`null`, `{}`, `{"metadata":null,"links":null,"files":null}`, `{"metadata":"x","links":[1],"files":{"a":1}}`, `{"metadata":[],"links":5,"files":[1,null,"x"]}`} {
		var c das.Content
		require.NoError(t, json.Unmarshal([]byte(text), &c))
		require.Empty(t, c.Name()+c.Symbol()+c.Description()+c.TokenStandard()+c.Image()+c.Link("external_url"), text)
		require.Empty(t, c.Attributes(), text)
		for _, f := range c.Files() {
			require.Equal(t, das.File{}, f)
		}
	}
	var c das.Content
	require.NoError(t, json.Unmarshal([]byte(`{"metadata":{"name":"a\u0000b","attributes":"none"},"links":{"animation_url":"v"},"files":[{"uri":"a","mime":"text/html"},{"uri":"b","mime":"image/gif","cdn_uri":"c","quality":{"$$schema":"s"},"contexts":[]}]}`), &c))
	require.Equal(t, "a\x00b", c.Name())
	require.Equal(t, "v", c.Link("animation_url"))
	require.Equal(t, "b", c.Image())
	require.Equal(t, []das.Attribute{{Value: json.RawMessage(`"none"`)}}, c.Attributes())
	require.Equal(t, "none", c.Attributes()[0].Text())
	require.Equal(t, das.File{URI: "b", MIME: "image/gif", CDNURI: "c", Quality: json.RawMessage(`{"$$schema":"s"}`), Context: json.RawMessage(`[]`)}, c.Files()[1])
	require.NoError(t, json.Unmarshal([]byte(`{"metadata":{"attributes":{"a":null}}}`), &c))
	require.Equal(t, []das.Attribute{{Key: "a"}}, c.Attributes())
}

func TestCDNImage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"links":{"image":"a"},"files":[{"uri":"b","mime":"image/png","cdn_uri":"of b"},{"uri":"a","cdn_uri":"of a"}]}`:                                                       "of a",
		`{"links":{"image":"a"},"files":[{"uri":"v","mime":"video/mp4","cdn_uri":"of v"},{"uri":"b","mime":"image/png","cdn_uri":"of b"},{"mime":"image/png","cdn_uri":"c"}]}`: "a",
		`{"links":{"image":""},"files":[{"uri":"","mime":"video/mp4","cdn_uri":"V"}]}`:                                                                                         "",
		`{"links":{"image":"a"},"files":[{"uri":"a","mime":"image/png"},{"uri":"v","mime":"video/mp4","cdn_uri":"of v"}]}`:                                                     "a",
		`{"files":[{"uri":"b","mime":"image/png","cdn_uri":5}]}`:                                                                                                               "5",
		`{"files":[null,{}]}`: "",
	} {
		require.Equal(t, want, das.Content{RawMessage: json.RawMessage(text)}.CDNImage(), text)
	}
}

func TestExtensionsOfAMint(t *testing.T) {
	t.Parallel()
	token := goldenAssets(t, "getAssetBatch")[3]
	fees, err := token.TransferFees()
	require.NoError(t, err)
	require.Equal(t, das.Units(18446744073709551615), fees.RawWithheld)
	require.Equal(t, das.TransferFee{Epoch: 700, RawMaximum: 3906250000000000000, BasisPoints: 690}, fees.Newer)
	require.Empty(t, fees.Authority)
	metadata, err := token.TokenMetadata()
	require.NoError(t, err)
	require.Equal(t, "https://meta.example/t22.json", metadata.URI)
	require.Equal(t, [][2]string{{"k", "v"}}, metadata.Additional)
	var interest struct {
		Rate int `json:"current_rate"`
	}
	found, err := token.MintExtension("interest_bearing_config", &interest)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, -5, interest.Rate)
	found, err = token.MintExtension("permanent_delegate", &interest)
	require.NoError(t, err)
	require.False(t, found)

	texts := das.Asset{MintExtensions: json.RawMessage(`{"transfer_fee_config":{"withheld_amount":"18446744073709551615","older_transfer_fee":{"epoch":0,"maximum_fee":0,"transfer_fee_basis_points":0},"newer_transfer_fee":{"epoch":"7","maximum_fee":"1","transfer_fee_basis_points":5}}}`)}
	fees, err = texts.TransferFees()
	require.NoError(t, err)
	require.Equal(t, das.Units(18446744073709551615), fees.RawWithheld)
	require.Equal(t, das.Units(7), fees.Newer.Epoch)
	broken := das.Asset{MintExtensions: json.RawMessage(`{"transfer_fee_config":{"withheld_amount":"-1"},"metadata":[]}`)}
	_, err = broken.TransferFees()
	require.ErrorContains(t, err, "mint extension transfer_fee_config: -1 is not a whole number")
	_, err = broken.TokenMetadata()
	require.ErrorContains(t, err, "mint extension metadata: ")
	for _, lacks := range []string{
		`{"withheld_amount":0}`,
		`{"withheld_amount":0,"older_transfer_fee":{"epoch":0,"maximum_fee":0,"transfer_fee_basis_points":0},"newer_transfer_fee":{"epoch":0,"maximum_fee":0,"transfer_fee_basis_points":null}}`,
	} {
		broken.MintExtensions = json.RawMessage(`{"transfer_fee_config":` + lacks + `}`)
		_, err = broken.TransferFees()
		require.ErrorContains(t, err, "mint extension transfer_fee_config: the response has no ", "a missing fee is not 0")
	}
}

func TestPluginsOfACoreAsset(t *testing.T) {
	t.Parallel()
	core := goldenAssets(t, "getAssetBatch")[0]
	freeze, err := core.Plugin("freeze_delegate")
	require.NoError(t, err)
	require.Equal(t, "Owner", freeze.Authority.Type)
	require.JSONEq(t, `{"frozen":false}`, string(freeze.Data))
	attributes, err := core.OnChainAttributes()
	require.NoError(t, err)
	require.Equal(t, []das.Attribute{{Key: "level", Value: json.RawMessage(`"4"`)}}, attributes)
	none, err := core.Plugin("royalties")
	require.NoError(t, err)
	require.Nil(t, none)
	attributes, err = new(das.Asset).OnChainAttributes()
	require.NoError(t, err)
	require.Nil(t, attributes)
}

func TestInscriptionsUnderTheNamesOfTwoIndexers(t *testing.T) {
	t.Parallel()
	want := &das.Inscription{
		Order: 9007199254740993, Size: 31337, ContentType: "image/png", Encoding: "base64",
		ValidationHash: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		DataAccount:    "CKu2n1BKPvrjAP6yCZzCXbJd3U7fLDsjq1MdR5qZzVqt",
		Authority:      "6Ah6y4jkaEJQ3nkV9q1ZDZQFqDNHcTGouDSoTzem424u",
		Root:           "CkPnVNrhG17ZzBqqEr9qLSxxD9hv3T2KEyzdKDyrYk8D",
	}
	got, err := goldenAssets(t, "getAssetBatch")[4].Inscription()
	require.NoError(t, err)
	require.Equal(t, want, got)
	documented := das.Asset{InscriptionData: json.RawMessage(`{"order":9007199254740993,"size":31337,"contentType":"image/png","encoding":"base64",
		"validationHash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","inscriptionDataAccount":"CKu2n1BKPvrjAP6yCZzCXbJd3U7fLDsjq1MdR5qZzVqt",
		"authority":"6Ah6y4jkaEJQ3nkV9q1ZDZQFqDNHcTGouDSoTzem424u","root":"CkPnVNrhG17ZzBqqEr9qLSxxD9hv3T2KEyzdKDyrYk8D"}`)}
	got, err = documented.Inscription()
	require.NoError(t, err)
	require.Equal(t, want, got)
	got, err = new(das.Asset).Inscription()
	require.NoError(t, err)
	require.Nil(t, got)
	_, err = (&das.Asset{InscriptionData: json.RawMessage(`5`)}).Inscription()
	require.ErrorContains(t, err, "inscription: ")
}

func TestAmountsAndPricesAreExact(t *testing.T) {
	t.Parallel()
	token := goldenAssets(t, "getAssetsByOwner")[1].TokenInfo
	require.Equal(t, uint64(18446744073709551615), token.RawAmount)
	require.Equal(t, "0.00000000000123", token.Price.PricePerToken.Decimal.String())
	token.Decimals = 9
	require.Equal(t, "18446744073.709551615", token.Amount().String())
	require.Equal(t, "0", (*das.TokenInfo)(nil).Amount().String())
}
