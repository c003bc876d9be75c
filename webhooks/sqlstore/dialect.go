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
		"{insert}", "INSERT", "{ignore}", " ON CONFLICT DO NOTHING",
		"{replace}", " ON CONFLICT (record, name) DO UPDATE SET value = excluded.value, since = excluded.since",
		"{key}", "", "{inline}", "", "{index}", "CREATE INDEX IF NOT EXISTS {name}_slots ON {table} (webhook, done, slot);\n",
	}
	return map[Dialect][]string{
		DialectPostgreSQL: append(standard, "{now}", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", "{end}", ""),
		DialectMySQL: {
			"{now}", "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
			"{insert}", "INSERT IGNORE", "{ignore}", "", "{replace}", " ON DUPLICATE KEY UPDATE value = VALUES(value), since = VALUES(since)",
			"{key}", " CHARACTER SET ascii COLLATE ascii_bin", "{inline}", ",\n\tINDEX {name}_slots (webhook, done, slot)", "{end}", "", "{index}", "",
		},
		DialectSQLite: append(standard, "{now}", "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)", "{end}", " WITHOUT ROWID"),
	}
}

const schema = `CREATE TABLE IF NOT EXISTS {table} (
	webhook   VARCHAR(64){key} NOT NULL,
	signature VARCHAR(88){key} NOT NULL,
	slot      BIGINT NOT NULL,
	owner     VARCHAR(32) NOT NULL,
	lapses    BIGINT NOT NULL,
	done      BIGINT NOT NULL,
	opened    BIGINT NOT NULL DEFAULT 0,
	attempts  INTEGER NOT NULL DEFAULT 0,
	failure   VARCHAR(255) NOT NULL DEFAULT '',
	address   VARCHAR(64) NOT NULL DEFAULT '',
	PRIMARY KEY (webhook, signature){inline}
){end};
{index}CREATE TABLE IF NOT EXISTS {table}_facts (
	record VARCHAR(64){key} NOT NULL,
	name   VARCHAR(128){key} NOT NULL,
	value  TEXT NOT NULL,
	since  BIGINT NOT NULL,
	PRIMARY KEY (record, name)
){end};
`

// Schema returns the statements that create the tables of a [Store] and their index, each
// terminated by a semicolon; an empty name means [DefaultTable]. It fails with
// [types.ErrInvalid] for an unknown dialect or a name that would need quotes. To run them is
// optional: Record of a Store does, if the tables do not exist.
//
// Column webhook is the name of the record. Columns lapses, done, opened and since are in
// milliseconds since 1970; done is 0 for an open event.
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
