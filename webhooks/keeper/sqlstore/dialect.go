package sqlstore

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// A Dialect is the SQL of a database. The zero Dialect is invalid.
type Dialect int

// The dialects.
const (
	DialectPostgreSQL Dialect = iota + 1
	DialectMySQL              // and MariaDB
	DialectSQLite             // 3.38 or later
)

// dialects has the words of statements that differ between databases, each followed by its SQL.
// NOW_MS is the clock of the database, so that the clocks of processes do not matter.
func dialects() map[Dialect][]string {
	standard := []string{
		"INSERT NEW", "INSERT", " ELSE IGNORE", " ON CONFLICT DO NOTHING", " ASCII", "", "{inline}", "",
		"{index}", "CREATE INDEX IF NOT EXISTS {name}_due ON {table}_events (state, due_at);\n",
		"ELSE UPDATE (process)", "ON CONFLICT (process) DO UPDATE SET", "ELSE UPDATE (address)", "ON CONFLICT (address) DO UPDATE SET",
		"NEW(", "(excluded.",
	}
	return map[Dialect][]string{
		DialectPostgreSQL: append(standard, "NOW_MS", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", "{end}", ""),
		DialectSQLite:     append(standard, "NOW_MS", "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)", "{end}", " WITHOUT ROWID"),
		DialectMySQL: {
			"INSERT NEW", "INSERT IGNORE", " ELSE IGNORE", "", " ASCII", " CHARACTER SET ascii COLLATE ascii_bin",
			"{inline}", ",\n\tINDEX {name}_due (state, due_at)", "{index}", "",
			"ELSE UPDATE (process)", "ON DUPLICATE KEY UPDATE", "ELSE UPDATE (address)", "ON DUPLICATE KEY UPDATE", "NEW(", "VALUES(",
			"NOW_MS", "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)", "{end}", "",
		},
	}
}

const schema = `CREATE TABLE IF NOT EXISTS {table}_events (
	signature  VARCHAR(88) ASCII NOT NULL PRIMARY KEY,
	slot       BIGINT NOT NULL,
	address    VARCHAR(44) ASCII NOT NULL,
	state      INTEGER NOT NULL,
	wanted     INTEGER NOT NULL,
	opened_at  BIGINT NOT NULL,
	due_at     BIGINT NOT NULL,
	claimed_by VARCHAR(32) ASCII NOT NULL,
	attempts   INTEGER NOT NULL,
	note       VARCHAR(255) ASCII NOT NULL{inline}
){end};
{index}CREATE TABLE IF NOT EXISTS {table}_checkpoints (
	address VARCHAR(44) ASCII NOT NULL PRIMARY KEY,
	slot    BIGINT NOT NULL,
	since   BIGINT NOT NULL,
	listed  BIGINT NOT NULL
){end};
CREATE TABLE IF NOT EXISTS {table}_processes (
	process VARCHAR(32) ASCII NOT NULL PRIMARY KEY,
	record  TEXT NOT NULL,
	seen_at BIGINT NOT NULL
){end};
CREATE TABLE IF NOT EXISTS {table}_leader (
	id          INTEGER NOT NULL PRIMARY KEY,
	leader      VARCHAR(32) ASCII NOT NULL,
	leads_until BIGINT NOT NULL,
	webhook     VARCHAR(255) ASCII NOT NULL
){end};
`

// Schema returns the statements that create the tables of a [Store], each with a semicolon at the
// end. Table is [Store].Table. An unknown dialect, or a table that would need quotes, fails with
// [types.ErrInvalid]. A Store runs the statements itself if the tables do not exist.
//
// Times are in milliseconds since 1970. Columns record and webhook have JSON. Column state is 0 for
// a pending event, 1 for an unwanted event, 2 for a dead letter and 3 for a done event. Of a
// pending event, due_at is the end of the claim or the time of the next attempt. Of other events,
// it is the time of the last change. The note is the last failure, or the filter of an unwanted
// event.
func Schema(d Dialect, table string) (string, error) {
	words, err := wordsOf(d, table)
	if err != nil {
		return "", err
	}
	return words.Replace(words.Replace(schema)), nil // words have the names of tables
}

// wordsOf returns a Replacer for the words of a statement that differ between databases, tables
// and stores.
func wordsOf(d Dialect, table string, more ...string) (*strings.Replacer, error) {
	words, known := dialects()[d]
	name, _ := regexp.MatchString(`^[A-Za-z0-9_.]{0,48}$`, table) // others would have to be quoted
	switch {
	case !known:
		return nil, invalid("Dialect is not one of the constants")
	case !name:
		return nil, invalid("Table is not a name of at most 48 letters, digits, _ and a dot")
	}
	table = cmp.Or(table, DefaultTable)
	return strings.NewReplacer(append(append(words, more...), "{table}", table, "{name}", table[strings.LastIndex(table, ".")+1:])...), nil
}

func invalid(problem string) error {
	return fmt.Errorf("sqlstore: %s: %w", problem, types.ErrInvalid)
}
