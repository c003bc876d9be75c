package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/solwire/solwire-go/internal/compare"
	"github.com/solwire/solwire-go/types"
)

// A surveyReport has no key, URL or account secret: it can be attached to an issue.
type surveyReport struct {
	Credits  uint64       `json:"credits"`
	Requests int          `json:"requests"`
	Leaves   int          `json:"leaves"`
	Seconds  float64      `json:"seconds"`
	Results  []liveResult `json:"results"`
}

type liveResult struct {
	Method      string               `json:"method"`
	Wire        string               `json:"wire"`
	Outcome     outcome              `json:"outcome"`
	Leaves      int                  `json:"leaves"`
	Credits     uint64               `json:"credits"`
	Millis      int64                `json:"millis"`
	Error       string               `json:"error,omitempty"`
	Differences []compare.Difference `json:"differences,omitempty"`
}

// An outcome is the outcome of an operation.
type outcome string

// add adds differences to the result of the current call, without secrets: the key, and all
// that webhooks hold.
func (s *survey) add(path string, found []compare.Difference) {
	for _, d := range found {
		d.Path, d.Wire, d.Value = s.hide(path+d.Path), s.hide(d.Wire), s.hide(d.Value)
		if strings.HasPrefix(s.row.method, "webhooks.") {
			d.Wire, d.Value = "a value", "another one"
		}
		s.result.Differences = append(s.result.Differences, d)
	}
}

// hide replaces the secrets in a text, and the beginning of one where the text is cut.
func (s *survey) hide(text string) string {
	for _, secret := range s.secrets {
		text = strings.ReplaceAll(text, secret, "***")
		whole, cut := strings.CutSuffix(text, "…")
		for n := len(secret) - 1; cut && n > 0; n-- {
			if before, ends := strings.CutSuffix(whole, secret[:n]); ends {
				text = before + "***…"
				break
			}
		}
	}
	return text
}

// judge sets the outcome of a call.
func (r *liveResult) judge(err error) {
	refusal := new(types.APIError)
	switch {
	case len(r.Differences) > 0: // also if a later page failed
		r.Outcome = differing
	case err == nil:
		return
	case errors.Is(err, errUnasked), errors.Is(err, errSpent), errors.Is(err, context.Canceled):
		r.Outcome = unasked
	case errors.As(err, &refusal) && (refusal.Code == -32601 || refusal.StatusCode == http.StatusNotFound && refusal.Code == 0):
		r.Outcome = absent
	case errors.As(err, &refusal) && (refusal.StatusCode == http.StatusForbidden || strings.Contains(strings.ToLower(refusal.Message), "plan")):
		r.Outcome = refusedBy
	default:
		r.Outcome = failed
	}
	if err != nil {
		r.Error = err.Error()
	}
}

// constants returns which texts are constants of their types, from the source.
var constants = sync.OnceValues(func() (compare.Words, error) {
	constant := regexp.MustCompile(`(?m)^(?:const|\t)\s*\w+\s+(\w+)\s+= ("[^"]*")`)
	words := map[string]map[string]bool{} // by package path and type
	err := filepath.WalkDir("../..", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		dir := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(filepath.ToSlash(path), "../../")))
		for _, m := range constant.FindAllSubmatch(source, -1) {
			key := "github.com/solwire/solwire-go/" + dir + "." + string(m[1])
			if words[key] == nil {
				words[key] = map[string]bool{}
			}
			text, _ := strconv.Unquote(string(m[2]))
			words[key][text] = true
		}
		return err
	})
	for _, open := range []string{"types.Address", "types.Hash", "types.Signature"} {
		delete(words, "github.com/solwire/solwire-go/"+open) // well-known ones have constants
	}
	return func(typ reflect.Type, text string) bool {
		known, enum := words[typ.PkgPath()+"."+typ.Name()]
		return !enum || known[text]
	}, err
})

// String returns the report as a table, with the differences below.
func (s *surveyReport) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "METHOD\tWIRE\tOUTCOME\tLEAVES\tCREDITS\tMS")
	counts := map[outcome]int{}
	for _, r := range s.Results {
		counts[r.Outcome]++
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\n", r.Method, r.Wire, r.Outcome, r.Leaves, r.Credits, r.Millis)
	}
	_ = w.Flush()
	for _, r := range s.Results {
		if r.Error != "" {
			fmt.Fprintf(&b, "%s: %s\n", r.Method, r.Error)
		}
		for _, d := range r.Differences {
			fmt.Fprintf(&b, "%s: %s: %s\n", r.Method, d.Kind, d)
		}
	}
	fmt.Fprintf(&b, "%d calls", len(s.Results))
	for _, o := range []outcome{whole, differing, absent, refusedBy, unasked, failed} {
		if counts[o] > 0 {
			fmt.Fprintf(&b, ", %d %s", counts[o], o)
		}
	}
	fmt.Fprintf(&b, "; %d leaves, %d requests, %d credits, %.1f s\n", s.Leaves, s.Requests, s.Credits, s.Seconds)
	return b.String()
}
