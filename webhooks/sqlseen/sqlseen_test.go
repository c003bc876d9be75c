package sqlseen_test

import (
	"database/sql"
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
var _ webhooks.Store = (*sqlseen.Store)(nil)

func TestOpenRefusesInvalidStores(t *testing.T) {
	t.Parallel()
	db := new(sql.DB)
	for says, store := range map[string]*sqlseen.Store{
		"DB is nil":                                                      sqlseen.Keep(nil, sqlseen.DialectSQLite),
		"Dialect is not one of the constants":                            sqlseen.Keep(db, 0),
		"Lease is less than 2 seconds; 0 means 3 seconds":                {DB: db, Dialect: sqlseen.DialectMySQL, Lease: time.Second},
		"Table is not a name of at most 48 letters, digits, _ and a dot": {DB: db, Dialect: sqlseen.DialectMySQL, Table: "a b"},
	} {
		journal, err := store.Open(t.Context(), "hook")
		require.EqualError(t, err, "sqlseen.Store: "+says+": invalid argument")
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Nil(t, journal)
	}
	for _, webhook := range []string{"", "é", strings.Repeat("x", 65)} {
		_, err := sqlseen.Keep(db, sqlseen.DialectMySQL).Open(t.Context(), webhook)
		require.EqualError(t, err, "sqlseen.Store: webhook is not printable ASCII of 1 to 64 bytes: invalid argument")
	}
	_, err := sqlseen.Schema(0, "")
	require.EqualError(t, err, "sqlseen.Schema: Dialect is not one of the constants: invalid argument")
	_, err = sqlseen.Schema(sqlseen.DialectSQLite, "a;b")
	require.ErrorIs(t, err, types.ErrInvalid)
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
	// CREATE TABLE IF NOT EXISTS app.events_checkpoints (
	// 	webhook VARCHAR(64) NOT NULL,
	// 	address VARCHAR(64) NOT NULL,
	// 	slot    BIGINT NOT NULL,
	// 	reached BIGINT NOT NULL,
	// 	filled  BIGINT NOT NULL,
	// 	owner   VARCHAR(32) NOT NULL,
	// 	lapses  BIGINT NOT NULL,
	// 	PRIMARY KEY (webhook, address)
	// );
}
