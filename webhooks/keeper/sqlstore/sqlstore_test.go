package sqlstore_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
	"github.com/solwire/solwire-go/webhooks/keeper/sqlstore"
)

// The statements run on real servers in the module internal/servers.
var _ keeper.Store = (*sqlstore.Store)(nil)

func TestInvalidStoresAreRefused(t *testing.T) {
	t.Parallel()
	db := new(sql.DB)
	for says, store := range map[string]*sqlstore.Store{
		"DB is nil":                           sqlstore.New(nil, sqlstore.DialectSQLite),
		"Dialect is not one of the constants": sqlstore.New(db, 0),
		"Lease is not 2 seconds to 5 minutes; 0 means 3 seconds":         {DB: db, Dialect: sqlstore.DialectMySQL, Lease: time.Second},
		"Table is not a name of at most 48 letters, digits, _ and a dot": {DB: db, Dialect: sqlstore.DialectMySQL, Table: "a b"},
		"Name is not printable ASCII of at most 64 bytes":                {DB: db, Dialect: sqlstore.DialectMySQL, Name: strings.Repeat("x", 65)},
	} {
		_, err := store.Checkpoints(t.Context())
		require.EqualError(t, err, "sqlstore: "+says+": invalid argument")
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorIs(t, store.Done(t.Context(), new(webhooks.Event)), types.ErrInvalid)
	}
	_, err := sqlstore.Schema(0, "")
	require.EqualError(t, err, "sqlstore: Dialect is not one of the constants: invalid argument")
	_, err = sqlstore.Schema(sqlstore.DialectSQLite, "a;b")
	require.ErrorIs(t, err, types.ErrInvalid)
}

func ExampleSchema() {
	schema, err := sqlstore.Schema(sqlstore.DialectPostgreSQL, "app.events")
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
	// 	opened    BIGINT NOT NULL DEFAULT 0,
	// 	attempts  INTEGER NOT NULL DEFAULT 0,
	// 	failure   VARCHAR(255) NOT NULL DEFAULT '',
	// 	address   VARCHAR(64) NOT NULL DEFAULT '',
	// 	PRIMARY KEY (webhook, signature)
	// );
	// CREATE INDEX IF NOT EXISTS events_slots ON app.events (webhook, done, slot);
	// CREATE TABLE IF NOT EXISTS app.events_facts (
	// 	record VARCHAR(64) NOT NULL,
	// 	name   VARCHAR(128) NOT NULL,
	// 	value  TEXT NOT NULL,
	// 	since  BIGINT NOT NULL,
	// 	PRIMARY KEY (record, name)
	// );
}
