package fake_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// A shape says which members the values of one kind have, and of which types they are.
type shape struct {
	types   map[string]bool // of JSON
	objects int
	has     map[string]int    // in how many of the objects a member is
	members map[string]*shape // of objects; of arrays, the elements are the member []
}

// address is the name of a member that is an address, as in a schedule of leaders.
var address = regexp.MustCompile(`^[1-9A-HJ-NP-Za-km-z]{32,44}$`)

// add adds a value of its kind.
func (s *shape) add(value any) {
	if s.types == nil {
		s.types, s.has, s.members = map[string]bool{}, map[string]int{}, map[string]*shape{}
	}
	member := func(name string, value any) {
		if s.members[name] == nil {
			s.members[name] = &shape{}
		}
		s.members[name].add(value)
	}
	switch value := value.(type) {
	case map[string]any:
		s.types["object"] = true
		s.objects++
		kind, _ := value["type"].(string)
		for name, value := range value {
			name = address.ReplaceAllString(name, "*")
			if name == "info" || name == "args" {
				name += ":" + kind // members depend on the type of the instruction or account
			}
			s.has[name]++
			member(name, value)
		}
	case []any:
		s.types["array"] = true
		for _, value := range value {
			member("[]", value)
		}
	case nil:
		s.types["null"] = true
	default:
		s.types[strings.TrimRight(fmt.Sprintf("%T", value), "0123456789")] = true
	}
}

// missing returns the members, elements and types of the real answers that got lacks.
func (s *shape) missing(path string, got *shape) []string {
	var all []string
	for kind := range got.types {
		if onlyNull := len(s.types) == 1 && s.types["null"]; !s.types[kind] && !onlyNull && kind != "null" && !unions.MatchString(path) {
			all = append(all, fmt.Sprintf("%s is %s, not %v", path, kind, slices.Sorted(maps.Keys(s.types))))
		}
	}
	if len(got.types) == 1 && got.types["null"] && !s.types["null"] && !nullable.MatchString(path) {
		all = append(all, path+" is always null")
	}
	for name, inner := range s.members {
		switch at := path + "." + name; {
		case got.members[name] == nil && optional.MatchString(at):
		case got.types["object"] && name != "[]" && got.members[name] == nil:
			all = append(all, at)
		case name == "[]" && got.types["array"] && got.members[name] == nil:
			all = append(all, at+" is empty")
		case got.members[name] == nil:
		case s.has[name] == s.objects && got.has[name] < got.objects && s.objects > 1:
			if !optional.MatchString(at) {
				all = append(all, fmt.Sprintf("%s is in %d of %d", at, got.has[name], got.objects))
			}
			fallthrough
		default:
			all = append(all, inner.missing(at, got.members[name])...)
		}
	}
	return all
}

var (
	// Members that real answers have for some objects only, and which not all objects of this
	// World have.
	optional = regexp.MustCompile(`(` + strings.Join([]string{
		// In goldens only, to see that clients ignore them.
		`\.unknown\w*`, `pagination\.(total|limit)`, `\.schema`, `context\.apiVersion`,
		// Of other kinds of accounts, instructions and transactions.
		`\.instructions\.\[\]\.(parsed|program)`, `\.info:\w*`, `info:\w+\.(extensions|delegate|delegatedAmount)`, `\.transactionConfig`, `\.addressTableLookups`, `\.returnData`,
		`\.numRewardPartitions`, `\.fee(Account|Amount|UiAmount)`, `\.setAuthority`, `\.plan`, `parsedData\.\w+`,
		// Of lists that are empty in most answers.
		`(innerInstructions|readonly|writable|nonCirculatingAccounts|errors|closedAccounts)\.\[\]`,
		// From the JSON of an asset, of other kinds of assets, and with options only.
		`links\.\w+`, `metadata\.(attributes|description)`, `\.display_type`, `token_info\.\w+`, `compression\.(flags|asset_data_hash|collection_hash)`,
		`\.(plugins|mpl_core_info|external_plugins|inscription|mint_extensions|uses|errors|token_extensions)`, `\.collection_metadata`, `grouping\.\[\]\.verified`,
		// Of wallets with names, of errors, and with options only.
		`\.domainNames`, `\.\[\]\.error`, `transactionError\.InstructionError`, `\.parserError`, `\.rawTransaction`,
	}, "|") + `)$`)

	// Members that are null for some objects.
	nullable = regexp.MustCompile(`\.(cursor|paginationToken|seq|tlv|datetime|mintAuthority|freezeAuthority)$`)

	// Members of several types.
	unions = regexp.MustCompile(`\.(version|id|err|transactionError)$`)

	// Answers of other servers, whose envelope is different, of assets with plugins, and to
	// transactions that were signed for another chain.
	foreign = regexp.MustCompile(`-(nested|bare|encoded|indexer|agent)$|/(send|simulate)Transaction`)
)

// shapeWorld has all subjects of the answers.
func shapeWorld() *fake.World {
	return &fake.World{
		Preset: fake.PresetDefault,
		NFTs: []fake.NFT{
			{ID: cat, Owner: bob, Name: "Kits", Symbol: "KIT", Description: "All kits.", Image: "https://example.com/kits.png", URI: "https://example.com/kits.json", MaxSupply: 9},
			{
				ID: numbered(1), Owner: ann, Name: "Kit", Symbol: "KIT", Description: "A kit.", Image: "https://example.com/kit.png", URI: "https://example.com/kit.json",
				Attributes: json.RawMessage(`[{"trait_type":"Fur","value":"black"}]`), Collection: cat, Authority: bob, Delegate: bob,
				Creators: []fake.Creator{{Address: bob, Share: 100, Verified: true}},
			},
			{ID: numbered(2), Owner: ann, Name: "Small kit", Collection: cat, Compressed: true, Creators: []fake.Creator{{Address: bob, Share: 100, Verified: true}}, Authority: bob},
			{ID: numbered(3), Owner: ann, Name: "Print", MasterEdition: cat, Edition: 1},
		},
		Wallets:       []fake.Wallet{{Address: ann, SOL: decimal.NewFromInt(3)}},
		Webhooks:      []fake.Webhook{{ID: "582dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1a", URL: "https://example.com/hooks", AuthHeader: "Bearer 6b1f8e4c9a", AccountAddresses: []types.Address{ann}}},
		TokenAccounts: []fake.TokenAccount{{Owner: ann, Mint: numbered(4), Decimals: 6, RawAmount: 700, Delegate: bob, DelegatedAmount: 70, Frozen: true}},
	}
}

// The answers of the fake have every member that the captured and documented answers of real
// servers have, with its JSON type.
func TestAnswersHaveTheMembersOfRealAnswers(t *testing.T) {
	t.Parallel()
	// The requests name fixed times, at which the World has transactions.
	clock := func() time.Time { return time.Date(2026, time.November, 29, 6, 0, 0, 0, time.UTC) }
	s := fake.New(&fake.Options{World: shapeWorld(), Seed: 1, Clock: clock})
	names := shapeNames(t, s)
	for _, name := range golden.Names() {
		name, isAnswer := strings.CutSuffix(name, ".json")
		if !isAnswer || foreign.MatchString(name) {
			continue
		}
		body, _ := golden.Answer(name)
		if len(body) == 0 {
			continue
		}
		var want, got shape
		want.add(decoded(t, body))
		for _, request := range requests(name) {
			got.add(decoded(t, answered(t, s, names.Replace(request))))
		}
		if lacks := want.missing("", &got); len(lacks) > 0 {
			slices.Sort(lacks)
			t.Errorf("%s:\n\t%s", name, strings.Join(lacks, "\n\t"))
		}
	}
}

// requests returns the requests for an answer: the captured one, or the method with each of the
// parameters of the World.
func requests(name string) []string {
	request, found := golden.Minimal(name)
	if full, hasFull := golden.Full(name); !found || hasFull && strings.HasPrefix(name, "webhooks/") {
		request = full
	}
	base, _, _ := strings.Cut(name, "-")
	params := worldParams[name]
	for _, alike := range []string{strings.Replace(name, "V2", "", 1), base} {
		if params == nil {
			params = worldParams[alike]
		}
	}
	if params == nil {
		return []string{string(request)}
	}
	var all []string
	for _, p := range params {
		if strings.ContainsAny(p[:1], "[{") {
			method, _, _ := strings.Cut(name[strings.Index(name, "/")+1:], "-")
			p = fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","method":%q,"params":%s}`, method, p)
		}
		all = append(all, p)
	}
	return all
}

// decoded returns a JSON value, and the first answer of a batch.
func decoded(t *testing.T, body []byte) any {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(body, &value), "%s", body)
	if list, batch := value.([]any); batch && len(list) > 0 {
		if envelope, isObject := list[0].(map[string]any); isObject && envelope["jsonrpc"] != nil {
			return list[0]
		}
	}
	return value
}

// answered returns the answer to a JSON-RPC call, or to a request as golden files have it.
func answered(t *testing.T, s *fake.Service, request string) []byte {
	t.Helper()
	method, path, body := http.MethodPost, "/", request
	if !strings.ContainsAny(request[:1], "[{") {
		line, rest, _ := strings.Cut(request, "\n")
		method, path, _ = strings.Cut(line, " ")
		_, body, _ = strings.Cut(rest, " ")
	}
	req, err := http.NewRequestWithContext(t.Context(), method, "http://fake"+path, strings.NewReader(body))
	require.NoError(t, err)
	query := req.URL.Query()
	query.Set("api-key", fake.Key)
	req.URL.RawQuery = query.Encode()
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := s.Transport().RoundTrip(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return text
}

// shapeNames replaces the names in worldParams by their values.
func shapeNames(t *testing.T, s *fake.Service) *strings.Replacer {
	t.Helper()
	type listing[T any] struct{ Value struct{ Items []T } }
	type compressed struct{ Hash, Address string }
	var v1 listing[compressed]
	require.Empty(t, ask(t, s, "getCompressedAccountsByOwner", fmt.Sprintf(`{"owner":%q,"limit":2}`, fake.OwnerAddress), &v1))
	var v2Tokens listing[struct{ Account compressed }]
	require.Empty(t, ask(t, s, "getCompressedTokenAccountsByDelegateV2", fmt.Sprintf(`{"delegate":%q}`, fake.V2DelegateAddress), &v2Tokens))
	var tokens listing[struct {
		Account   compressed
		TokenData struct{ Owner string }
	}]
	require.Empty(t, ask(t, s, "getCompressedTokenAccountsByDelegate", fmt.Sprintf(`{"delegate":%q}`, fake.DelegateAddress), &tokens))
	var opened, openedTokens listing[struct{ Signature string }]
	require.Empty(t, ask(t, s, "getCompressionSignaturesForTokenOwner", fmt.Sprintf(`{"owner":%q}`, tokens.Value.Items[0].TokenData.Owner), &openedTokens))
	require.Empty(t, ask(t, s, "getCompressionSignaturesForOwner", fmt.Sprintf(`{"owner":%q}`, fake.OwnerAddress), &opened))
	type entry struct {
		Signature string
		Slot      uint64
		Err       json.RawMessage
	}
	var listed []entry
	require.Empty(t, ask(t, s, "getSignaturesForAddress", fmt.Sprintf(`[%q,{"limit":300}]`, fake.WalletAddress), &listed))
	i := slices.IndexFunc(listed, func(e entry) bool { return string(e.Err) != "null" })
	var accounts struct{ Value []struct{ Pubkey string } }
	require.Empty(t, ask(t, s, "getTokenAccountsByOwner", fmt.Sprintf(`[%q,{"mint":%q},{"encoding":"base64"}]`, fake.WalletAddress, usdc), &accounts))
	var latest struct {
		Value struct{ Blockhash types.Hash }
	}
	require.Empty(t, ask(t, s, "getLatestBlockhash", `[]`, &latest))
	hash, err := latest.Value.Blockhash.Bytes()
	require.NoError(t, err)
	message := slices.Concat([]byte{1, 0, 0, 1}, make([]byte, 32), hash, []byte{0})
	return strings.NewReplacer(
		"MESSAGE", base64.StdEncoding.EncodeToString(message),
		"WALLET", string(fake.WalletAddress), "COLLECTOR", string(fake.CollectorAddress), "OWNER", string(fake.OwnerAddress), "DELEGATE", string(fake.DelegateAddress),
		"V2D", string(fake.V2DelegateAddress), "USDC", string(usdc), "ANN", string(ann), "BOB", string(bob), "KITS", string(cat), "KIT1", string(numbered(1)), "KIT2", string(numbered(2)),
		"TOKENPROG", string(types.TokenProgram), "ADDRESSTREE", facts.AddressTreeV1,
		"SIG1", listed[9].Signature, "SIG2", listed[19].Signature, "SIG3", listed[40].Signature, "FAILED", listed[i].Signature,
		"NEWEST", fmt.Sprint(listed[0].Slot+1), "SLOT1", fmt.Sprint(listed[9].Slot), "SLOT2", fmt.Sprint(listed[19].Slot), "ACCOUNT", accounts.Value[0].Pubkey,
		"HASH", v1.Value.Items[0].Hash, "ADDRESS", v1.Value.Items[0].Address, "V2HASH", v2Tokens.Value.Items[0].Account.Hash,
		"TOKENHASH", tokens.Value.Items[0].Account.Hash, "TOKENOWNER", tokens.Value.Items[0].TokenData.Owner, "OPENINGTOKENS", openedTokens.Value.Items[0].Signature, "OPENING", opened.Value.Items[0].Signature,
	)
}

// worldParams are parameters for which the World has an answer of the kind of the real one.
var worldParams = map[string][]string{
	"rpc/getFeeForMessage":           {`["MESSAGE"]`},
	"rpc/getAccountInfo":             {`["ACCOUNT",{"encoding":"jsonParsed"}]`, `["USDC",{"encoding":"jsonParsed"}]`},
	"rpc/getAccountInfo-base58":      {`["ACCOUNT",{"encoding":"base58","dataSlice":{"offset":0,"length":16}}]`},
	"rpc/getAccountInfo-base64":      {`["ACCOUNT",{"encoding":"base64"}]`},
	"rpc/getAccountInfo-zstd":        {`["ACCOUNT",{"encoding":"base64+zstd"}]`},
	"rpc/getAccountInfo-unchanged":   {`["ACCOUNT",{"encoding":"base64","changedSinceSlot":NEWEST}]`},
	"rpc/getMultipleAccounts":        {`[["ACCOUNT","WALLET","KITS"],{"encoding":"base64"}]`},
	"rpc/getMultipleAccounts-parsed": {`[["ACCOUNT","WALLET","KITS"],{"encoding":"jsonParsed"}]`},

	"rpc/getBlock":            {`[SLOT1,{"maxSupportedTransactionVersion":1}]`, `[SLOT2,{"maxSupportedTransactionVersion":1}]`},
	"rpc/getBlock-accounts":   {`[SLOT1,{"transactionDetails":"accounts","maxSupportedTransactionVersion":1}]`},
	"rpc/getBlock-base64":     {`[SLOT1,{"encoding":"base64","maxSupportedTransactionVersion":1}]`},
	"rpc/getBlock-jsonParsed": {`[SLOT1,{"encoding":"jsonParsed","maxSupportedTransactionVersion":1}]`},
	"rpc/getBlock-no-rewards": {`[SLOT1,{"transactionDetails":"none","rewards":false}]`},
	"rpc/getBlock-none":       {`[SLOT1,{"transactionDetails":"none"}]`},
	"rpc/getBlock-signatures": {`[SLOT1,{"transactionDetails":"signatures"}]`},
	"rpc/getBlockTime":        {`[SLOT1]`},
	"rpc/getBlocks":           {`[SLOT1]`},
	"rpc/getBlocksWithLimit":  {`[SLOT2,5]`},

	"rpc/getPriorityFeeEstimate":             {`[{"accountKeys":["WALLET"]}]`},
	"rpc/getPriorityFeeEstimate-levels":      {`[{"accountKeys":["WALLET"],"options":{"includeAllPriorityFeeLevels":true}}]`},
	"rpc/getPriorityFeeEstimate-recommended": {`[{"accountKeys":["WALLET"],"options":{"recommended":true}}]`},

	"rpc/getProgramAccounts":                 {`["TOKENPROG",{"encoding":"jsonParsed","withContext":true}]`},
	"rpc/getProgramAccountsV2":               {`["TOKENPROG",{"encoding":"jsonParsed","limit":500,"withContext":true}]`},
	"rpc/getProgramAccountsV2-bare":          {`["TOKENPROG",{"encoding":"base64","limit":3}]`},
	"rpc/getTokenAccountBalance":             {`["ACCOUNT"]`},
	"rpc/getTokenAccountsByDelegate":         {`["DELEGATE",{"programId":"TOKENPROG"},{"encoding":"jsonParsed"}]`, `["BOB",{"programId":"TOKENPROG"},{"encoding":"jsonParsed"}]`},
	"rpc/getTokenAccountsByDelegate-encoded": {`["DELEGATE",{"programId":"TOKENPROG"},{"encoding":"base64+zstd"}]`},
	"rpc/getTokenAccountsByOwner":            {`["WALLET",{"programId":"TOKENPROG"},{"encoding":"jsonParsed"}]`, `["ANN",{"programId":"TOKENPROG"},{"encoding":"jsonParsed"}]`},
	"rpc/getTokenAccountsByOwner-base58":     {`["WALLET",{"mint":"USDC"},{"encoding":"base58","dataSlice":{"offset":32,"length":40}}]`},
	"rpc/getTokenAccountsByOwner-base64":     {`["WALLET",{"mint":"USDC"},{"encoding":"base64"}]`},
	"rpc/getTokenAccountsByOwnerV2":          {`["WALLET",{"programId":"TOKENPROG"},{"encoding":"jsonParsed","limit":3}]`},

	"rpc/getSignatureStatuses":                 {`[["SIG1","FAILED","1111111111111111111111111111111111111111111111111111111111111111"],{"searchTransactionHistory":true}]`},
	"rpc/getSignaturesForAddress":              {`["WALLET"]`},
	"rpc/getTransaction":                       {`["SIG1"]`, `["SIG2"]`, `["SIG3"]`},
	"rpc/getTransaction-base58":                {`["SIG1",{"encoding":"base58"}]`},
	"rpc/getTransaction-base64":                {`["SIG1",{"encoding":"base64","maxSupportedTransactionVersion":1}]`},
	"rpc/getTransaction-failed":                {`["FAILED",{"maxSupportedTransactionVersion":1}]`},
	"rpc/getTransaction-inner-jsonParsed":      {`["SIG1",{"encoding":"jsonParsed","maxSupportedTransactionVersion":1}]`},
	"rpc/getTransaction-jsonParsed":            {`["SIG1",{"encoding":"jsonParsed","maxSupportedTransactionVersion":1}]`, `["SIG2",{"encoding":"jsonParsed","maxSupportedTransactionVersion":1}]`},
	"rpc/getTransaction-v1":                    {`["SIG1",{"maxSupportedTransactionVersion":1}]`},
	"rpc/getTransaction-v1-base64":             {`["SIG1",{"encoding":"base64","maxSupportedTransactionVersion":1}]`},
	"rpc/getTransaction-v1-jsonParsed":         {`["SIG1",{"encoding":"jsonParsed","maxSupportedTransactionVersion":1}]`},
	"rpc/getTransactionsForAddress":            {`["WALLET",{"transactionDetails":"full","limit":20,"maxSupportedTransactionVersion":1}]`},
	"rpc/getTransactionsForAddress-base64":     {`["WALLET",{"transactionDetails":"full","limit":20,"encoding":"base64","maxSupportedTransactionVersion":1}]`},
	"rpc/getTransactionsForAddress-signatures": {`["WALLET",{"transactionDetails":"signatures"}]`},
	"rpc/getTransfersByAddress":                {`["WALLET",{"limit":100}]`},

	"compressed/getCompressedAccount":                    {`{"hash":"HASH"}`},
	"compressed/getCompressedAccount-address":            {`{"address":"ADDRESS"}`},
	"compressed/getCompressedAccountProof":               {`{"hash":"HASH"}`},
	"compressed/getCompressedAccountsByOwner":            {`{"owner":"OWNER"}`},
	"compressed/getCompressedBalance":                    {`{"hash":"HASH"}`},
	"compressed/getCompressedBalance-address":            {`{"address":"ADDRESS"}`},
	"compressed/getCompressedBalanceByOwner":             {`{"owner":"OWNER"}`},
	"compressed/getCompressedMintTokenHolders":           {`{"mint":"USDC"}`},
	"compressed/getCompressedTokenAccountBalance":        {`{"hash":"TOKENHASH"}`},
	"compressed/getCompressedTokenAccountsByDelegateV2":  {`{"delegate":"V2D"}`},
	"compressed/getCompressedTokenAccountsByOwner":       {`{"owner":"TOKENOWNER"}`},
	"compressed/getCompressedTokenBalancesByOwner":       {`{"owner":"TOKENOWNER"}`},
	"compressed/getCompressionSignaturesForAccount":      {`{"hash":"HASH"}`},
	"compressed/getCompressionSignaturesForAddress":      {`{"address":"ADDRESS"}`},
	"compressed/getCompressionSignaturesForOwner":        {`{"owner":"OWNER"}`},
	"compressed/getCompressionSignaturesForTokenOwner":   {`{"owner":"TOKENOWNER"}`},
	"compressed/getMultipleCompressedAccountProofs":      {`["HASH"]`},
	"compressed/getMultipleCompressedAccountProofsV2":    {`["HASH","V2HASH"]`},
	"compressed/getMultipleCompressedAccounts":           {`{"hashes":["HASH","ANN","TOKENHASH"]}`},
	"compressed/getMultipleCompressedAccounts-addresses": {`{"addresses":["ADDRESS"]}`},
	"compressed/getMultipleNewAddressProofsV2":           {`[{"address":"ANN","tree":"ADDRESSTREE"}]`},
	"compressed/getTransactionWithCompressionInfo":       {`{"signature":"OPENING"}`, `{"signature":"OPENINGTOKENS"}`},
	"compressed/getValidityProof":                        {`{"hashes":["HASH"]}`},
	"compressed/getValidityProofV2":                      {`{"hashes":["HASH"],"newAddressesWithTrees":[{"address":"ANN","tree":"ADDRESSTREE"}]}`},
	"compressed/getValidityProofV2-queued":               {`{"hashes":["V2HASH"]}`},

	"das/getAsset":                  {`{"id":"KIT1"}`},
	"das/getAssetBatch":             {`{"ids":["KIT1","KIT2","KITS"]}`},
	"das/getAssetProof":             {`{"id":"KIT2"}`},
	"das/getAssetProofBatch":        {`{"ids":["KIT2"]}`},
	"das/getAssetsByAuthority":      {`{"authorityAddress":"BOB"}`},
	"das/getAssetsByCreator":        {`{"creatorAddress":"BOB"}`},
	"das/getAssetsByGroup":          {`{"groupKey":"collection","groupValue":"KITS"}`},
	"das/getAssetsByOwner":          {`{"ownerAddress":"ANN","options":{"showGrandTotal":true,"showNativeBalance":true,"showFungible":true}}`},
	"das/getAssetsByOwner-numbered": {`{"ownerAddress":"COLLECTOR","page":2,"limit":3}`},
	"das/getAssetsByOwner-range":    {`{"ownerAddress":"COLLECTOR","limit":3,"sortBy":{"sortBy":"id","sortDirection":"asc"},"after":"1nc1nerator11111111111111111111111111111111"}`},
	"das/getNftEditions":            {`{"mint":"KITS","page":1}`},
	"das/getSignaturesForAsset":     {`{"id":"KIT2","page":1}`},
	"das/getTokenAccounts":          {`{"owner":"WALLET","page":1}`, `{"owner":"ANN","page":1}`},
	"das/getTokenAccounts-range":    {`{"mint":"USDC","limit":5,"after":"1nc1nerator11111111111111111111111111111111"}`},
	"das/searchAssets":              {`{"ownerAddress":"ANN"}`},
	"das/searchAssets-nested":       {`{"ownerAddress":"ANN","tokenType":"all","options":{"showNativeBalance":true}}`},

	"wallet/balances":        {"GET /v1/wallet/WALLET/balances?showNfts=true"},
	"wallet/balance-at":      {"GET /v1/wallet/WALLET/balance-at?mint=USDC&slot=344112233"},
	"wallet/balance-at-time": {"GET /v1/wallet/WALLET/balance-at?mint=USDC&time=1763645581"},
	"wallet/history":         {"GET /v1/wallet/WALLET/history"},
	"wallet/transfers":       {"GET /v1/wallet/WALLET/transfers"},
	"enhanced/transactions":  {"POST /v0/transactions\napplication/json {\"transactions\":[\"SIG1\",\"SIG2\",\"SIG3\",\"FAILED\"]}"},
	"enhanced/history":       {"GET /v0/addresses/WALLET/transactions"},
	"parsed/transactions":    {"POST /v1/parsed-events/transactions\napplication/json {\"transactions\":[\"SIG1\",\"FAILED\"]}"},
	"parsed/history":         {"POST /v1/parsed-events/transaction-history\napplication/json {\"address\":\"WALLET\"}"},
}
