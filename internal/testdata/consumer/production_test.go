package consumer

import (
	"bytes"
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
		APIKey:     types.Key(key),
		HTTPClient: &http.Client{Timeout: 10 * time.Second}, // of one attempt
		Limiter:    rate.NewLimiter(plan.Others, 1),
		Logger:     logger,
		Meter:      new(types.Meter),
	}
	cfg.HTTPClient.Transport = answers(`{"data":[{"signature":"a","slot":7,"fee":0.000005}],"pagination":{"hasMore":false}}`)
	wallets, err := wallet.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wallets.History(t.Context(), fake.WalletAddress, nil).Page(); err != nil {
		t.Error(err)
	}
	if spent := cfg.Meter.Credits(); spent != 100 {
		t.Errorf("%d credits", spent)
	}
	if text := records.String(); !strings.Contains(text, "GET /v1/wallet/{wallet}/history") || strings.Contains(text, key) {
		t.Error(text)
	}
}
