// Package faults holds no code, only the tests that try to break a promise of
// this module with everything at once: its clients, the service in small, and
// a network that fails on demand. What fails one answer at a time is shown
// beside the code, in the tests of internal/transport and internal/paging.
//
// The promises, and the tests that would fail if one broke:
//
//	The key leaves the module only with a       every test here, through hunt: errors, log records,
//	request to the service                      printed configs, other headers and hosts
//	A call ends with its context                TestCancelledCallsEndAtOnce, TestCancelledCallsOverTCP
//	Retries make no outage worse                TestOutageIsNotMultiplied, TestCallersComeBackApart,
//	                                            TestLimiterLeavesNothingRefused
//	Half an answer is no result, an error no    TestWalksSurviveEveryFault, TestDecodersAgree, FuzzDecoding,
//	empty one, and a result stays what it was   FuzzAmount, TestResultsStayWhatTheyWere
//	A change is made once or not at all         TestChangesAreMadeOnceOrNotAtAll
//	Nothing is left behind                      all of them, when their world ends; TestSoak
//	A walk yields each item once, in order,     TestWalksSurviveEveryFault, TestWalksResumeAfterEveryFault,
//	or ends with an error                       TestWalksSurviveRestarts, TestBreakAtEveryItem
//	Nothing hostile costs much                  TestBombsEndSoon, TestBombsInAccountData, TestHugeAddresses
//
// TestEveryRowOfTheTableHasItsTests holds the tables of all failures, those of
// clients and those of the receiver of webhooks, with what is done about each
// and the tests that show it, here and beside the code.
//
// Waits pass in virtual time. The clock is a real one where a real network is
// what is tested: in TestWalksSurviveRestarts, TestCancelledCallsOverTCP,
// TestSoak, and those of internal/transport over TCP. How long these take is
// told in their logs, and fails them only when it is many times what it should
// be; so it is with the bombs, whose work takes no virtual time.
//
// With "go test" all run in a short form; "make soak" runs the long one, and
// "make mutants" breaks the code on purpose, one line at a time, and tells
// which test noticed.
package faults
