package faults_test

// A row of a table of failures: what happens, what the client or the receiver
// does, and the tests that show it; for clients, in REST and in JSON-RPC.
//
// Cases are rows of the tables in internal/transport, failures (answers and
// failed sends, in virtual time) and connections (over TCP); both run each row
// in both languages. Tests name package and function.
type row struct {
	happens, does string
	cases         string // one a line
	tests         string
}

// The table of failures that clients meet. "Tried again" means: within MaxAttempts, with a wait.
// What makes something new is tried again only where it says so.
var table = []row{
	{
		"refused, reset or timed out while dialling or waiting; temporary DNS error",
		"tried again; a create only where nothing was sent",
		`connection refused
		connection reset
		dial timeout
		end of stream before an answer
		temporary DNS error
		reset while waiting
		closed while waiting
		no HTTP at all`,
		"transport.TestRefusedConnectionIsTriedAgain transport.TestCreateIsRepeatedOnlyWhenNothingHappened transport.TestCreateIsNotRepeatedOverTCP",
	},
	{
		"host does not exist; unknown certificate, wrong name, no common TLS version; plain HTTP on an https URL",
		"one clear error",
		`host does not exist
		plain HTTP on an https URL
		TLS alert: no common version
		TLS version chosen by an old server`,
		"transport.TestUntrustedServersAreAskedOnce",
	},
	{
		"reset or end of stream inside headers or body; short Content-Length",
		"tried again, since the body is read within the try",
		`body reset
		body shorter than its length
		closed inside the headers
		reset inside the body
		short Content-Length
		chunk cut off
		last chunk missing
		gzip that breaks off`,
		"faults.TestWalksSurviveEveryFault transport.TestFailedTryLeavesNothingInTheResult",
	},
	{
		"body ends early without any HTTP error",
		"tried again: JSON that stops early is a broken answer",
		`body ends early without an HTTP error
		answer without length stops early`,
		"faults.TestWalksSurviveEveryFault",
	},
	{
		"headers or body stall; one byte at a time",
		"tried again when the time of the attempt, body included, is over",
		`headers stall
		nothing comes at all
		body stalls
		one byte at a time
		time of an attempt is over in the body
		stalled in the body for good`,
		"faults.TestWalksSurviveEveryFault",
	},
	{
		"idle connection closed by the server just as a request is sent",
		"repeated by net/http itself; a create never, a delete as a try of its own",
		"",
		"transport.TestIdleConnectionClosedUnderARequest faults.TestChangesAreMadeOnceOrNotAtAll",
	},
	{
		"HTTP/2 connection goes silent",
		"pings notice, and the call goes on with another",
		"",
		"transport.TestSilentHTTP2ConnectionIsReplaced",
	},
	{
		"408, 429, 500, 502, 503, 504; other 5xx",
		"tried again; a create only at 429",
		`408
		429
		429 for good
		500
		502
		503
		504
		507, another 5xx
		599, beyond the named ones`,
		"transport.TestCreateIsRepeatedOnlyWhenNothingHappened",
	},
	{
		"400, 401, 403, 404, 409, 422; other 4xx, 501, 505",
		"an error at once",
		`400
		401
		403
		404
		409
		418, another 4xx
		422
		501
		505`,
		"transport.TestRefusalsOfEveryShape",
	},
	{
		`429 or 200 whose text says "max usage reached"`,
		"credits are gone: an error at once, with the service's words",
		`quota used up, 429
		quota used up, 429 in plain text
		quota used up, 200
		quota used up, 200 in plain text`,
		"faults.TestWalksResumeAfterEveryFault",
	},
	{
		"200 with JSON-RPC code -32429",
		"the same as 429",
		`200 with -32429
		201 with -32429
		200 with -32429 for good
		error in the manner of REST with 200`,
		"",
	},
	{
		"JSON-RPC codes -32002, -32003, -32005",
		"the status decides what they mean",
		`-32002 with 503: unavailable
		-32002 with 200: simulation failed
		-32003 with 403: forbidden
		-32003 with 504: timeout
		-32003 with 200: bad signature
		-32005 with 429: too many requests
		-32005 with 400: status decides`,
		"",
	},
	{
		"200 with -32004, -32005, -32014, -32016: node behind, block or slot not there yet",
		"tried again",
		`-32004 with 200: block not there yet
		-32005 with 200: node behind
		-32014 with 200: status not there yet
		-32016 with 200: slot not reached`,
		"",
	},
	{
		"200 with -32603, -32604, -32019, or -32000 by its words; a code of no row",
		"tried again; an error at once",
		`-32603 with 200: internal
		-32604 with 200: busy
		-32019 with 200: archive
		-32000 with 200: internal by its words
		-32000 with 200: behind by its words
		-32000 with 200: other words
		-32602, a code of no row
		-32012, a code of no row`,
		"",
	},
	{
		"error without id, with id null, with another id",
		"an error is an error; the id is not compared",
		`429 without id
		429 with id null
		429 with id as a number
		error without id
		error with id null
		error with another id
		error as text with 200`,
		"transport.TestRefusalsOfEveryShape",
	},
	{
		"result with another id; with id null or as a number",
		"an error at once; taken",
		`answer to another request
		id empty
		id as a number
		id null in a result`,
		"transport.TestIDsCountUpAcrossGoroutines",
	},
	{
		"Retry-After absent, 0, in the past, negative, nonsense",
		"the computed wait",
		`Retry-After absent
		Retry-After 0
		Retry-After 0.001
		Retry-After negative
		Retry-After in the past
		Retry-After nonsense
		Retry-After Inf`,
		"transport.TestRetryAfter transport.FuzzRetryAfter",
	},
	{
		"Retry-After 2, 1.5, or a date",
		"at least that long; a date counts from the answer's own",
		`Retry-After 2
		Retry-After 1.5
		Retry-After 20
		Retry-After with 200 and -32429
		Retry-After as a date, by the answer's clock
		Retry-After as a date, by the clock here`,
		"transport.TestRetryAfter",
	},
	{
		"Retry-After above 20 s, or past the deadline",
		"an error at once that says it",
		`Retry-After 21
		Retry-After 3600
		Retry-After 9223372037
		Retry-After of a thousand digits`,
		"transport.TestDeadlineIsNotWaitedFor",
	},
	{
		"context ends while waiting, sending or reading",
		"the call ends at once, with the context's error and the last failure",
		"",
		"transport.TestContextEndsACallAtOnce transport.TestContextThatCutsARefusalShort transport.TestDoneContextSendsNothing transport.TestCancelledCallEndsOverTCP " +
			"transport.TestDeadlineNoticedByTheNetworkIsTheContexts faults.TestCancelledCallsEndAtOnce faults.TestCancelledCallsOverTCP",
	},
	{
		"time of an attempt is over though the caller's context is fine",
		"tried again",
		`time of an attempt is over while waiting
		stalled for good`,
		"",
	},
	{
		"HTML page, or an empty answer where one is due",
		"with 200 tried again, else by status; the error names the kind, not the page; valid JSON is taken whatever its media type",
		`answer is empty
		answer is white space
		HTML page with 200
		HTML page with 200, for good
		HTML page with 403
		HTML page with 502
		JSON with the media type of a page`,
		"transport.TestRefusalsOfEveryShape transport.TestDeleteNeedsNoAnswer",
	},
	{
		"null, an envelope around nothing, a listing without its list, wrong type in a field, text after the JSON",
		"an error at once",
		`body null
		envelope with neither result nor error
		result null
		value null
		wrong type in a field
		list where an object is due
		text after the JSON`,
		"wallet.TestBalancesWithoutTheirListAreAnError wallet.TestListingsWithoutTheirListOrPaginationAreAnError compressed.TestAnswerWithoutItsListIsAnError " +
			"faults.TestWalksResumeAfterEveryFault faults.TestDecodersAgree",
	},
	{
		"result without an envelope; unknown members",
		"taken",
		`result without envelope
		unknown members`,
		"transport.FuzzEnvelope transport.TestErrorsOfItemsAreNoErrors",
	},
	{
		"very large or compressed-small answer",
		"types.ErrTooLarge at 64 MiB after decompression; a refusal keeps its status, and 1 MiB of it is read",
		`answer above 64 MiB
		refusal above 1 MiB`,
		"transport.TestLongRefusalsAreReadInPart transport.TestLargeBuffersAreNotKept transport.TestGzipBombEndsAtTheCap faults.TestBombsEndSoon faults.TestAnswerOf64MiBIsRead",
	},
	{
		"large answer of many tiny values",
		"types.ErrTooLarge, since they would take many times its size",
		"",
		"transport.TestCrowdedAnswersAreTooLarge faults.TestBombsEndSoon",
	},
	{
		"protocol switched: a body that no context ends",
		"an error at once",
		`protocol switched`,
		"transport.TestSwitchedProtocolHoldsNoCallUp",
	},
	{
		"redirect",
		"never followed: an error, and the key goes nowhere",
		`redirect
		redirect to nowhere`,
		"transport.TestRedirectsCarryTheKeyNowhere transport.TestOtherHostsAreRefused faults.TestWalksResumeAfterEveryFault",
	},
	{
		"http:// endpoint",
		"for loopback only",
		"",
		"transport.TestPlainHTTPIsForLoopbackOnAnyHost transport.TestNewRefusesWhatCannotWork",
	},
	{
		"integer as 5.0, 1e3, or the largest one rounded up",
		"an error; where nobody computes with it, the largest",
		`integer as 5.0
		integer as 1e3`,
		"rpc.TestEpochSaturatesInsteadOfLosingThePage rpc.FuzzEpoch",
	},
	{
		"amount 1e999999999, or a million digits",
		"an error in no time",
		`number of a million digits`,
		"transport.TestLongNumbersAreFoundWhereverTheyStand transport.FuzzLongNumber transport.TestHostileAnswersEndSoon " +
			"wallet.TestHugeNumberIsAnErrorAtOnce faults.TestBombsEndSoon faults.FuzzAmount",
	},
	{
		"base58 text of any length",
		"its length is looked at before it is decoded",
		"",
		"types.TestAHugeTextIsRefusedAtOnce types.FuzzAddress rpc.TestBytesThatWouldTakeTooMuchAreRefused faults.TestHugeAddresses faults.TestBombsInAccountData",
	},
	{
		"base64+zstd data",
		"decoded when it is asked for; types.ErrTooLarge above 16 MiB",
		"",
		"rpc.TestBytesThatWouldTakeTooMuchAreRefused rpc.FuzzData faults.TestBombsInAccountData",
	},
	{
		"cursor repeats, also in a cycle; another page than asked for",
		"types.ErrIncomplete",
		"",
		"paging.TestCyclesEndTheWalk paging.TestCycleBackToTheStartOfAResumedWalk paging.FuzzCursors wallet.TestBalancePagesEndWhereThePageIsNotTheOneAskedFor " +
			"compressed.TestCycleOfCursorsIsAnErrorAfterThePageThatClosesIt",
	},
	{
		"empty page with a cursor; full last page followed by an empty one",
		"the walk goes on",
		"",
		"paging.TestEmptyPagesAreNotTheEnd compressed.TestEmptyPageWithACursorIsNotTheEnd compressed.TestLastPageMayBeFullAndFollowedByAnEmptyOne",
	},
	{
		"service restarts between or inside pages",
		"the page is asked for again; nothing of a failed try is seen",
		"",
		"faults.TestWalksSurviveRestarts faults.TestWalksResumeAfterEveryFault",
	},
	{
		"many workers at the rate of a plan",
		"a limiter leaves nothing refused",
		"",
		"faults.TestLimiterLeavesNothingRefused faults.TestWithoutLimiterMostIsRefused transport.TestLimiterIsAskedBeforeEachTry transport.TestLimiterMayEndACall",
	},
	{
		"full outage, many calls",
		"the budget keeps retries to a tenth, the waits keep callers apart",
		"",
		"faults.TestOutageIsNotMultiplied faults.TestCallersComeBackApart transport.TestBudgetBoundsRetries transport.TestFinalRefusalsLeaveTheBudgetAlone " +
			"transport.TestWaitsDoubleUpToTwentySeconds",
	},
	{
		"caller reuses or changes what it gave to a call",
		"every try sends what it was when the call began",
		"",
		"transport.TestRequestsAreOfTheMomentOfTheCall",
	},
	{
		"panic in a caller's Limiter or Logger",
		"not caught",
		"",
		"transport.TestPanicsOfTheCallerAreNotCaught",
	},
}
