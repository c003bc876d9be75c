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

// dialects has the words in statements that differ between databases. Times are by the clock of
// the database, in milliseconds since 1970, so that the clocks of processes do not matter.
func dialects() map[Dialect][]string {
	standard := []string{
		"INSERT NEW", "INSERT", " ELSE IGNORE", " ON CONFLICT DO NOTHING", " ASCII", "", "{inline}", "",
		"{index}", "CREATE INDEX IF NOT EXISTS {name}_due ON {table}_events (keeper, state, due_at);\n",
	}
	return map[Dialect][]string{
		DialectPostgreSQL: append(standard, "NOW_MS", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", "{end}", ""),
		DialectSQLite:     append(standard, "NOW_MS", "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)", "{end}", " WITHOUT ROWID"),
		DialectMySQL: {
			"INSERT NEW", "INSERT IGNORE", " ELSE IGNORE", "", " ASCII", " CHARACTER SET ascii COLLATE ascii_bin",
			"{inline}", ",\n\tINDEX {name}_due (keeper, state, due_at)", "{index}", "",
			"NOW_MS", "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)", "{end}", "",
		},
	}
}

const schema = `CREATE TABLE IF NOT EXISTS {table}_events (
	keeper     VARCHAR(64) ASCII NOT NULL,
	signature  VARCHAR(88) ASCII NOT NULL,
	slot       BIGINT NOT NULL,
	address    VARCHAR(44) ASCII NOT NULL,
	state      INTEGER NOT NULL,
	wanted     INTEGER NOT NULL,
	opened_at  BIGINT NOT NULL,
	due_at     BIGINT NOT NULL,
	claimed_by VARCHAR(32) ASCII NOT NULL,
	attempts   INTEGER NOT NULL,
	note       VARCHAR(255) ASCII NOT NULL,
	PRIMARY KEY (keeper, signature){inline}
){end};
{index}CREATE TABLE IF NOT EXISTS {table}_checkpoints (
	keeper   VARCHAR(64) ASCII NOT NULL,
	address  VARCHAR(44) ASCII NOT NULL,
	filter   VARCHAR(32) ASCII NOT NULL,
	slot     BIGINT NOT NULL,
	since    BIGINT NOT NULL,
	saved_at BIGINT NOT NULL,
	PRIMARY KEY (keeper, address, filter)
){end};
CREATE TABLE IF NOT EXISTS {table}_processes (
	keeper    VARCHAR(64) ASCII NOT NULL,
	process   VARCHAR(32) ASCII NOT NULL,
	settings  VARCHAR(64) ASCII NOT NULL,
	delivered BIGINT NOT NULL,
	asked     BIGINT NOT NULL,
	behind    INTEGER NOT NULL,
	problems  TEXT NOT NULL,
	seen_at   BIGINT NOT NULL,
	PRIMARY KEY (keeper, process)
){end};
CREATE TABLE IF NOT EXISTS {table}_leaders (
	keeper      VARCHAR(64) ASCII NOT NULL,
	leader      VARCHAR(32) ASCII NOT NULL,
	leads_until BIGINT NOT NULL,
	webhook     VARCHAR(64) ASCII NOT NULL,
	creating    VARCHAR(32) ASCII NOT NULL,
	webhook_at  BIGINT NOT NULL,
	PRIMARY KEY (keeper)
){end};
`

// Schema returns the statements that create the tables of a [Store], each terminated by a
// semicolon; an empty prefix means [DefaultTable]. It fails with [types.ErrInvalid] for an
// unknown dialect or a prefix that would need quotes. To run them is optional: a Store does, if
// the tables do not exist.
//
// Column keeper is the Name of the Store, and times are in milliseconds since 1970. An event has
// state 0 while it is pending, 1 if it is unwanted, 2 as a dead letter and 3 when it is done. Then
// due_at is the time of the next attempt, the end of the claim, or the time of the last change.
// The note is the last failure, or the filter with which the event is unwanted.
func Schema(d Dialect, table string) (string, error) {
	words, err := wordsOf(d, table)
	if err != nil {
		return "", err
	}
	return words.Replace(words.Replace(schema)), nil // words have the names of tables
}

// wordsOf replaces what differs between databases and tables in a statement.
func wordsOf(d Dialect, table string) (*strings.Replacer, error) {
	words, known := dialects()[d]
	switch {
	case !known:
		return nil, invalid("Dialect is not one of the constants")
	case !matches(`^[A-Za-z0-9_.]{0,48}$`, table): // others would have to be quoted
		return nil, invalid("Table is not a name of at most 48 letters, digits, _ and a dot")
	}
	table = cmp.Or(table, DefaultTable)
	name := table[strings.LastIndex(table, ".")+1:]
	return strings.NewReplacer(append(words, "{table}", table, "{name}", name)...), nil
}

func matches(pattern, text string) bool {
	ok, _ := regexp.MatchString(pattern, text)
	return ok
}

func invalid(problem string) error {
	return fmt.Errorf("sqlstore: %s: %w", problem, types.ErrInvalid)
}
