package docs_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// What the README says in figures about retries is what calls do.
func TestRetriesAreWhatTheREADMESays(t *testing.T) {
	t.Parallel()
	says := strings.Join(strings.Fields(read(t, filepath.Join(root, "README.md")).prose), " ")
	// failing makes calls that are answered with status and headers, and returns
	// when each request came, the end of the last call after them.
	failing := func(calls, attempts, status int, headers ...string) (times []time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			service := fake.New()
			service.Unrecorded = true
			service.Before = func(w http.ResponseWriter, _ *http.Request) bool {
				times = append(times, time.Since(began))
				for i := 0; i+1 < len(headers); i += 2 {
					w.Header().Set(headers[i], headers[i+1])
				}
				w.WriteHeader(status)
				return true
			}
			cfg := service.Config()
			cfg.MaxAttempts = attempts
			wallets, err := wallet.New(cfg)
			require.NoError(t, err)
			for range calls {
				_, err := wallets.Balances(t.Context(), fake.Wallet, nil)
				require.Error(t, err)
			}
			times = append(times, time.Since(began))
		})
		return times
	}
	tries := len(failing(1, 0, http.StatusInternalServerError)) - 1
	require.Contains(t, says, fmt.Sprintf("`MaxAttempts` tries, %d unless you say otherwise; 1 turns retries off.", tries))
	require.Len(t, failing(1, 1, http.StatusInternalServerError), 1+1)

	require.Contains(t, says, "else half a second, or one after 429 and 503, and doubling, half of it random.")
	for status, wait := range map[int]time.Duration{500: time.Second / 2, 429: time.Second, 503: time.Second} {
		times := failing(1, 4, status)
		for i := range 3 {
			waited := times[i+1] - times[i]
			require.GreaterOrEqual(t, waited, wait/2, status)
			require.LessOrEqual(t, waited, wait, status)
			wait *= 2
		}
	}

	require.Contains(t, says, "A wait above 20 s, or beyond")
	require.Greater(t, failing(1, 2, http.StatusServiceUnavailable, "Retry-After", "20")[1], 20*time.Second)
	require.Equal(t, []time.Duration{0, 0}, failing(1, 2, http.StatusServiceUnavailable, "Retry-After", "21"))

	require.Contains(t, says, "a thousand failing calls make eleven hundred requests and not four thousand.")
	require.Len(t, failing(1000, 4, http.StatusInternalServerError), 1100+1)
}

func TestTryEndsWhenTheREADMESays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := fake.New()
		service.Before = func(_ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		}
		cfg := service.Config()
		cfg.MaxAttempts = 1
		wallets, err := wallet.New(cfg)
		require.NoError(t, err)
		began := time.Now()
		_, err = wallets.Balances(t.Context(), fake.Wallet, nil)
		require.Error(t, err)
		require.Equal(t, 30*time.Second, time.Since(began))
		require.Contains(t, read(t, filepath.Join(root, "README.md")).prose, "`HTTPClient.Timeout` bounds one try, 30 s by default;")
	})
}

func TestKeysOfTheDevserverAreWhatTheREADMESays(t *testing.T) {
	t.Parallel()
	service := fake.New()
	refusal := func(key string) *types.APIError {
		cfg := service.Config()
		cfg.APIKey, cfg.MaxAttempts = key, 1
		wallets, err := wallet.New(cfg)
		require.NoError(t, err)
		_, err = wallets.Balances(t.Context(), fake.Wallet, nil)
		var refused *types.APIError
		if err != nil {
			require.ErrorAs(t, err, &refused)
		}
		return refused
	}
	require.Nil(t, refusal("demo-key"))
	limited, expired := refusal("limited-key"), refusal("expired-key")
	require.NotZero(t, limited.RetryAfter)
	require.Contains(t, read(t, filepath.Join(root, "README.md")).prose, fmt.Sprintf(
		"The key `demo-key` works, `limited-key` is answered with %d and `Retry-After`, `expired-key` with %d.",
		limited.StatusCode, expired.StatusCode))
}

// The service sees the version that the changelog says is the latest, and
// before the first release that one.
func TestVersionIsTheLatestOfTheChangelog(t *testing.T) {
	t.Parallel()
	latest := "0.1.0"
	changes := read(t, filepath.Join(root, "CHANGELOG.md")).prose
	if m := regexp.MustCompile(`(?m)^## \[?(\d\S*?)\]?(?: |$)`).FindStringSubmatch(changes); m != nil {
		latest = m[1]
	}
	require.Equal(t, transport.Version, latest, "in CHANGELOG.md")
}
