package consumer

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

func TestProductionConfig(t *testing.T) {
	const key = "a-key"
	plan := plans["Developer"]
	var records bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&records, &slog.HandlerOptions{Level: slog.LevelDebug}))
	cfg := types.Config{
		APIKey:     key,
		HTTPClient: &http.Client{Timeout: 10 * time.Second}, // of one attempt
		Limiter:    rate.NewLimiter(plan.Others, 1),
		Logger:     logger,
		Meter:      new(types.Meter),
	}
	cfg.HTTPClient.Transport = answers(`{"data":[{"signature":"a","slot":7}],"pagination":{"hasMore":false}}`)
	wallets, err := wallet.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	stored := map[types.Signature]bool{}
	store := func(s types.Signature) error {
		stored[s] = true
		return nil
	}
	if err := backfill(t.Context(), wallets, time.Now(), store); err != nil || !stored["a"] {
		t.Errorf("stored %v, error %v", stored, err)
	}
	if spent := cfg.Meter.Credits(); spent != 100 {
		t.Errorf("%d credits", spent)
	}
	if text := records.String(); !strings.Contains(text, "GET /v1/wallet/{wallet}/history") || strings.Contains(text, key) {
		t.Error(text)
	}
}

const owner = fake.WalletAddress

// backfill stores the transactions since a moment shortly before the last event.
func backfill(ctx context.Context, wallets *wallet.Client, lastEvent time.Time, store func(types.Signature) error) error {
	opts := &wallet.HistoryOptions{Since: lastEvent.Add(-time.Minute)}
	for tx, err := range wallets.AllHistory(ctx, owner, opts) {
		if err != nil {
			return err
		}
		if err := store(tx.Signature); err != nil { // ignores what is stored already
			return err
		}
	}
	return nil
}
