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
	schema, err := sqlstore.Schema(sqlstore.DialectPostgreSQL, "app.keeper")
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(schema) {
		if strings.HasPrefix(line, "CREATE") {
			fmt.Print(line)
		}
	}
	// Output:
	// CREATE TABLE IF NOT EXISTS app.keeper_events (
	// CREATE INDEX IF NOT EXISTS keeper_due ON app.keeper_events (state, due_at);
	// CREATE TABLE IF NOT EXISTS app.keeper_checkpoints (
	// CREATE TABLE IF NOT EXISTS app.keeper_processes (
	// CREATE TABLE IF NOT EXISTS app.keeper_leader (
}
