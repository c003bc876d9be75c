// Package faults has tests that try to break the promises of this module: its clients run
// against the fake of the service over connections that fail on demand. Its code is an [Indexer]
// whose cursors skip accounts, for other tests too. Failures of a single response are tested
// beside the code, in internal/transport, internal/decode and internal/paging, and for every
// operation in internal/conformance.
//
// The promises, and the tests that fail when one is broken:
//
//	The key leaves the module only in a       every test here, through hunt: errors, log records,
//	request to the service                    printed configs, other headers and hosts
//	A call ends with its context              TestCancelledCallsEndAtOnce
//	Retries make no outage worse              TestOutageIsNotMultiplied, TestCallersComeBackApart,
//	                                          TestLimiterLeavesNothingRefused
//	A partial response is not a result, and   TestWalksSurviveEveryFault, TestDecodersAgree,
//	a result does not change later            FuzzDecoding, FuzzAmount, TestResultsStayWhatTheyWere
//	A change is made once or not at all       TestChangesAreMadeOnceOrNotAtAll
//	Nothing is left behind                    all of them, when their world ends; TestSoak
//	A walk yields each item once, in order,   TestWalksSurviveEveryFault, TestBreakAtEveryItem,
//	or ends with an error                     TestWalksResumeAfterEveryFault
//
// Most tests run in virtual time. Those over TCP take real time; their durations
// are logged, and fail a test only when they are many times too long.
//
// "go test" runs a short form of each: a fault hits one request of each listing.
// "make soak" hits every request.
package faults
