package sqlseen_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/sqlseen"
)

// The statements run on real servers in the module internal/servers.
var (
	_ webhooks.SlotKeeper = (*sqlseen.Store)(nil)
	_ webhooks.Renewer    = (*sqlseen.Store)(nil)
)

func TestNewRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	db := new(sql.DB)
	for says, cfg := range map[string]sqlseen.Config{
		"DB is nil":                           {Dialect: sqlseen.DialectSQLite},
		"Dialect is not one of the constants": {DB: db},
		"Webhook is not printable ASCII of at most 64 bytes":                                   {DB: db, Dialect: sqlseen.DialectMySQL, Webhook: strings.Repeat("x", 65)},
		"Lease is not longer than a second, after which a claim is renewed; 0 means 2 seconds": {DB: db, Dialect: sqlseen.DialectMySQL, Lease: time.Second},
		"Table is not a name of letters, digits, _ and a dot":                                  {DB: db, Dialect: sqlseen.DialectMySQL, Table: "a b"},
	} {
		store, err := sqlseen.New(cfg)
		require.EqualError(t, err, "sqlseen.Config: "+says+": invalid argument")
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Nil(t, store)
	}
	_, err := sqlseen.Schema(0, "")
	require.EqualError(t, err, "sqlseen.Schema: Dialect is not one of the constants: invalid argument")
	_, err = sqlseen.Schema(sqlseen.DialectSQLite, "a;b")
	require.ErrorIs(t, err, types.ErrInvalid)
}

func TestCommentOfThePackage(t *testing.T) {
	t.Parallel()
	const secret = "Bearer 8c6976e5b5410415bde908bd4dee15df"
	hook := &webhooks.Webhook{ID: "582dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1a"}
	handle := func(context.Context, *webhooks.Event) error { return nil }
	require.EqualError(t, func() error {
		db, err := sql.Open("pgx", "postgres://localhost/app")
		if err != nil {
			return err
		}
		store, err := sqlseen.New(sqlseen.Config{
			DB:      db,
			Dialect: sqlseen.DialectPostgreSQL,
			Webhook: hook.ID,
		})
		if err != nil {
			return err
		}
		receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
			Secrets: []webhooks.Secret{secret},
			Seen:    store,
			Handle:  handle,
		})
		return errors.Join(err, receiver.Shutdown(t.Context()))
	}(), `sql: unknown driver "pgx" (forgotten import?)`, "the module has no driver")
}

func ExampleSchema() {
	schema, err := sqlseen.Schema(sqlseen.DialectPostgreSQL, "app.events")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(schema)
	// Output:
	// CREATE TABLE IF NOT EXISTS app.events (
	// 	webhook   VARCHAR(64) NOT NULL,
	// 	signature VARCHAR(88) NOT NULL,
	// 	slot      BIGINT NOT NULL,
	// 	owner     VARCHAR(32) NOT NULL,
	// 	lapses    BIGINT NOT NULL,
	// 	done      BIGINT NOT NULL,
	// 	PRIMARY KEY (webhook, signature)
	// );
	// CREATE INDEX IF NOT EXISTS events_slots ON app.events (webhook, done, slot);
}
