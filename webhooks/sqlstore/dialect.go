package sqlstore

import (
	"fmt"
	"strconv"
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

// A dialect is what differs between databases. Times are by the clock of the database, in
// milliseconds since 1970, so that the clocks of processes do not matter.
type dialect struct {
	now      string    // an expression
	ignore   [2]string // begin and end of an INSERT that leaves existing rows alone
	schema   string
	numbered bool // whether placeholders are $1, $2, … rather than ?
}

// insert returns a statement that inserts rows, but for those that exist.
func (d *dialect) insert(into, values string, rows int) string {
	return d.ignore[0] + " INTO " + into + " VALUES " + strings.Repeat(", "+values, rows)[2:] + d.ignore[1]
}

func dialects() map[Dialect]*dialect {
	return map[Dialect]*dialect{
		DialectPostgreSQL: {
			now:      "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
			ignore:   [2]string{"INSERT", " ON CONFLICT DO NOTHING"},
			numbered: true,
			schema: `CREATE TABLE IF NOT EXISTS {table} (
	webhook   VARCHAR(64) NOT NULL,
	signature VARCHAR(88) NOT NULL,
	slot      BIGINT NOT NULL,
	owner     VARCHAR(32) NOT NULL,
	lapses    BIGINT NOT NULL,
	done      BIGINT NOT NULL,
	opened    BIGINT NOT NULL DEFAULT 0,
	attempts  INTEGER NOT NULL DEFAULT 0,
	failure   VARCHAR(255) NOT NULL DEFAULT '',
	address   VARCHAR(64) NOT NULL DEFAULT '',
	PRIMARY KEY (webhook, signature)
);
CREATE INDEX IF NOT EXISTS {name}_slots ON {table} (webhook, done, slot);
CREATE TABLE IF NOT EXISTS {table}_facts (
	record VARCHAR(64) NOT NULL,
	name   VARCHAR(128) NOT NULL,
	value  TEXT NOT NULL,
	since  BIGINT NOT NULL,
	PRIMARY KEY (record, name)
);
`,
		},
		DialectMySQL: {
			now:    "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
			ignore: [2]string{"INSERT IGNORE", ""},
			schema: `CREATE TABLE IF NOT EXISTS {table} (
	webhook   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	signature VARCHAR(88) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	slot      BIGINT NOT NULL,
	owner     VARCHAR(32) NOT NULL,
	lapses    BIGINT NOT NULL,
	done      BIGINT NOT NULL,
	opened    BIGINT NOT NULL DEFAULT 0,
	attempts  INTEGER NOT NULL DEFAULT 0,
	failure   VARCHAR(255) NOT NULL DEFAULT '',
	address   VARCHAR(64) NOT NULL DEFAULT '',
	PRIMARY KEY (webhook, signature),
	INDEX {name}_slots (webhook, done, slot)
);
CREATE TABLE IF NOT EXISTS {table}_facts (
	record VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	name   VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
	value  TEXT NOT NULL,
	since  BIGINT NOT NULL,
	PRIMARY KEY (record, name)
);
`,
		},
		DialectSQLite: {
			now:    "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
			ignore: [2]string{"INSERT OR IGNORE", ""},
			schema: `CREATE TABLE IF NOT EXISTS {table} (
	webhook   TEXT NOT NULL,
	signature TEXT NOT NULL,
	slot      INTEGER NOT NULL,
	owner     TEXT NOT NULL,
	lapses    INTEGER NOT NULL,
	done      INTEGER NOT NULL,
	opened    INTEGER NOT NULL DEFAULT 0,
	attempts  INTEGER NOT NULL DEFAULT 0,
	failure   TEXT NOT NULL DEFAULT '',
	address   TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (webhook, signature)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS {name}_slots ON {table} (webhook, done, slot);
CREATE TABLE IF NOT EXISTS {table}_facts (
	record TEXT NOT NULL,
	name   TEXT NOT NULL,
	value  TEXT NOT NULL,
	since  INTEGER NOT NULL,
	PRIMARY KEY (record, name)
) WITHOUT ROWID;
`,
		},
	}
}

// Schema returns the statements that create the tables of a [Store] and their index, each
// terminated by a semicolon; an empty name means [DefaultTable]. It fails with
// [types.ErrInvalid] for an unknown dialect or a name that would need quotes. To run them is
// optional: Record of a Store does, if the tables do not exist.
//
// Column webhook is the name of the record. Columns lapses, done, opened and since are in
// milliseconds since 1970; done is 0 for an open event.
func Schema(d Dialect, table string) (string, error) {
	in := dialects()[d]
	if in == nil {
		return "", fmt.Errorf("sqlstore.Schema: Dialect is not one of the constants: %w", types.ErrInvalid)
	}
	table, err := tableName(table)
	if err != nil {
		return "", err
	}
	return in.sql(in.schema, table), nil
}

// sql replaces what differs between databases and tables in a query.
func (d *dialect) sql(query, table string) string {
	name := table[strings.LastIndex(table, ".")+1:]
	query = strings.NewReplacer("{table}", table, "{name}", name, "{now}", d.now).Replace(query)
	if !d.numbered {
		return query
	}
	parts := strings.Split(query, "?")
	var b strings.Builder
	b.WriteString(parts[0])
	for i, part := range parts[1:] {
		b.WriteString("$" + strconv.Itoa(i+1) + part)
	}
	return b.String()
}
