package faults_test

// The table of failures that a Receiver meets. Their tests are in webhooks.
var receiving = []row{
	{
		happens: "secret wrong, missing or there twice",
		does:    "401, before anything else is looked at",
		tests: "webhooks.TestWhatIsRefusedNeverReachesTheCallback webhooks.TestTwoAuthorizationHeadersAreRefused " +
			"webhooks.TestBodyIsNotReadBeforeTheRestIsRight",
	},
	{
		happens: "secret is being changed",
		does:    "several are accepted",
		tests:   "webhooks.TestSecretsRotate",
	},
	{
		happens: "secret empty, or one that no header can carry; callback missing; receiver not made",
		does:    "refused when it is made; what was not made answers 500",
		tests:   "webhooks.TestReceiverRefusesAConfigThatCannotWork webhooks.TestReceiverThatWasNotMadeAnswers",
	},
	{
		happens: "no POST; not JSON by its header; compressed",
		does:    "405, 415; the body is not read",
		tests: "webhooks.TestReceiverTakesPostsOnly webhooks.TestWhatIsRefusedNeverReachesTheCallback " +
			"webhooks.TestBodyIsNotReadBeforeTheRestIsRight",
	},
	{
		happens: "body above 8 MiB, with a length or without",
		does:    "413; of one without a length, no more is read than shows it",
		tests: "webhooks.TestWhatIsRefusedNeverReachesTheCallback webhooks.TestBodyWithoutALengthIsReadUpToTheLimit " +
			"webhooks.TestHostileDeliveriesDoNotHoldUpTheOthers",
	},
	{
		happens: "body comes slowly or not at all",
		does:    "408 after 800 ms; nobody else waits",
		tests:   "webhooks.TestSlowBodyIsGivenUp webhooks.TestHostileDeliveriesDoNotHoldUpTheOthers webhooks.TestConnectionServesManyDeliveries",
	},
	{
		happens: "no JSON, deeply nested, text behind it, an event without a signature",
		does:    "400; nothing of the delivery is handled",
		tests:   "webhooks.TestMalformedBodies webhooks.TestWhatIsRefusedNeverReachesTheCallback webhooks.FuzzEnhanced webhooks.FuzzRaw",
	},
	{
		happens: "more than 1000 events; a million tiny values",
		does:    "413, before they take many times their size",
		tests:   "webhooks.TestTooMuchInOneBody webhooks.TestBodyOfTinyValuesTakesLittleMemory webhooks.TestLargestBodyThatIsTaken",
	},
	{
		happens: "number of a million digits",
		does:    "400 in no time",
		tests:   "webhooks.TestLongNumberIsRefusedBeforeItIsRead webhooks.TestHostileDeliveriesDoNotHoldUpTheOthers",
	},
	{
		happens: "event whose details cannot be read",
		does:    "that one is skipped, its neighbours are handled: 200",
		tests:   "webhooks.TestEventWithFlawedDetailsSaysSo webhooks.TestEventWithFlawedDetailsIsSkippedAlone",
	},
	{
		happens: "event comes again after it was handled",
		does:    "200 without the callback, for ten to twenty minutes",
		tests:   "webhooks.TestEventsAreForgottenAfterTwoGenerations webhooks.TestTenThousandEventsAreHandledOnce webhooks.TestRoundTrip",
	},
	{
		happens: "event comes again while it is being handled",
		does:    "waits for the outcome; 503 when its own time is over",
		tests: "webhooks.TestDuplicateWaitsForTheOutcome webhooks.TestDuplicateWaitsAtMostUntilItsOwnDeadline " +
			"webhooks.TestTwoDeliveriesOfTheSameEventsInOtherOrder",
	},
	{
		happens: "callback fails",
		does:    "500; the neighbours are handled, and only what failed is handled when it comes again",
		tests: "webhooks.TestFailedEventIsHandledWhenItComesAgain webhooks.TestFailureAtTheDeadlineIsAFailure " +
			"webhooks.TestTenThousandEventsAreHandledOnce",
	},
	{
		happens: "callback is slow",
		does:    "its context ends after 800 ms; 503 in time, and handled once all the same",
		tests:   "webhooks.TestCallbackHasADeadline webhooks.TestSlowCallbackIsAnsweredInTimeAndHandledOnce",
	},
	{
		happens: "panic in the callback or in what else is the caller's; a goroutine that it ends",
		does:    "500 or as if it had failed, and a record without the body; the process goes on",
		tests: "webhooks.TestPanicsAreRecovered webhooks.TestCallbackThatEndsItsGoroutine webhooks.TestErrorsThatPanic " +
			"webhooks.TestLoggerThatPanics webhooks.TestWorkerSurvivesACallbackThatEndsItsGoroutine " +
			"webhooks.TestPanicOfTheStoreDoesNotEndTheProcess webhooks.TestPanicOfDoneLeavesTheEventHandled " +
			"webhooks.TestPanicOfClaimLeavesTheOtherEvents",
	},
	{
		happens: "event that can never be handled",
		does:    "200, and Skipped is told, once",
		tests:   "webhooks.TestSkippedEventIsNotDeliveredAgain webhooks.TestSkippedHasTimeOfItsOwn",
	},
	{
		happens: "old delivery is posted again",
		does:    "skipped above MaxAge, or known",
		tests:   "webhooks.TestOldEventsAreSkipped webhooks.TestSkippedHearsOfNoEventThatWasHandled",
	},
	{
		happens: "queue is full",
		does:    "503; what is in it keeps its order",
		tests:   "webhooks.TestFullQueueSaysBusy webhooks.TestQueueAnswersAtOnceAndKeepsTheOrder",
	},
	{
		happens: "event of the queue fails",
		does:    "Skipped is told, since it does not come again",
		tests:   "webhooks.TestWhatTheQueueCannotHandleIsSkipped webhooks.TestLogOfAQueueHasFailuresOnly",
	},
	{
		happens: "service hangs up",
		does:    "the callback goes on",
		tests:   "webhooks.TestServiceThatHangsUpDoesNotStopTheCallback",
	},
	{
		happens: "shutdown while events are handled, or stuck",
		does:    "503 from then on; waits for them, and at most two seconds longer than it may",
		tests: "webhooks.TestShutdownWaitsForCallbacks webhooks.TestShutdownWithAnEndedContextReportsOnlyWhatIsLeft " +
			"webhooks.TestShutdownEndsTheContextOfWorkers webhooks.TestShutdownWaitsForTheEventInHandBeforeItGivesUp " +
			"webhooks.TestShutdownGivesUpAStuckQueue webhooks.TestShutdownIsNotHeldUpBySkipped",
	},
	{
		happens: "process restarts",
		does:    "what was not answered with 200 comes again and is handled",
		tests:   "webhooks.TestTenThousandEventsAreHandledOnce",
	},
	{
		happens: "store of several processes is down, slow, or has the event at another",
		does:    "503; what is handled stays handled",
		tests: "webhooks.TestProcessesShareAStore webhooks.TestStoreThatCannotTell webhooks.TestStoreHearsOfALateSuccess " +
			"webhooks.TestStoreHasADeadline",
	},
	{
		happens: "anything is refused or fails",
		does:    "neither answer nor log has the secret or the body",
		tests: "webhooks.TestAnswersHaveNoContentOfTheDelivery webhooks.TestLogHasNeitherBodyNorSecret " +
			"webhooks.TestReceiverDoesNotKeepTheSecret webhooks.TestLongTextOfABodyIsCut",
	},
}
