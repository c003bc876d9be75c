package types

// An Outcome selects transactions by whether they succeeded. Other values than the
// constants pass through.
type Outcome string

// The outcomes. The zero value means OutcomeAll.
const (
	OutcomeAll       Outcome = "all"
	OutcomeSucceeded Outcome = "success"
	OutcomeFailed    Outcome = "failed"
)
