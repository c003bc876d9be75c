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
	replace  string    // end of an INSERT of facts that replaces those with the same names
	numbered bool      // whether placeholders are $1, $2, … rather than ?

	// Parts of schema.
	key, inline, table, index string
}

const (
	onConflict = " ON CONFLICT (record, name) DO UPDATE SET value = excluded.value, since = excluded.since"
	slotsIndex = "CREATE INDEX IF NOT EXISTS {name}_slots ON {table} (webhook, done, slot);\n"
)

func dialects() map[Dialect]*dialect {
	return map[Dialect]*dialect{
		DialectPostgreSQL: {
			now:    "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
			ignore: [2]string{"INSERT", " ON CONFLICT DO NOTHING"}, replace: onConflict, numbered: true, index: slotsIndex,
		},
		DialectMySQL: {
			now:    "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)",
			ignore: [2]string{"INSERT IGNORE", ""}, replace: " ON DUPLICATE KEY UPDATE value = VALUES(value), since = VALUES(since)",
			key: " CHARACTER SET ascii COLLATE ascii_bin", inline: ",\n\tINDEX {name}_slots (webhook, done, slot)",
		},
		DialectSQLite: {
			now:    "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
			ignore: [2]string{"INSERT", " ON CONFLICT DO NOTHING"}, replace: onConflict, table: " WITHOUT ROWID", index: slotsIndex,
		},
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
	in := dialects()[d]
	if in == nil {
		return "", fmt.Errorf("sqlstore.Schema: Dialect is not one of the constants: %w", types.ErrInvalid)
	}
	table, err := tableName(table)
	if err != nil {
		return "", err
	}
	return in.schema(table), nil
}

func (d *dialect) schema(table string) string {
	return d.sql(strings.NewReplacer("{key}", d.key, "{inline}", d.inline, "{end}", d.table, "{index}", d.index).Replace(schema), table)
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
