package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
)

// exec returns how many rows a statement changed.
func (s *Store) exec(ctx context.Context, statement string, args ...any) (int64, error) {
	if err := s.open(ctx); err != nil {
		return 0, err
	}
	return s.run(ctx, s.words, statement, args...)
}

func (s *Store) run(ctx context.Context, words *strings.Replacer, statement string, args ...any) (n int64, err error) {
	statement = s.sql(words, statement)
	return n, retryConflicts(ctx, func() error {
		result, err := s.DB.ExecContext(ctx, statement, args...)
		if err == nil {
			n, err = result.RowsAffected()
		}
		return err
	})
}

// all returns the rows of a query. Fields returns the destinations of the columns of a row.
func all[T any](ctx context.Context, s *Store, fields func(*T) []any, query string, args ...any) (list []T, err error) {
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	query = s.sql(s.words, query)
	err = retryConflicts(ctx, func() error {
		list = nil
		rows, err := s.DB.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }() // Err has its error
		for err == nil && rows.Next() {
			var row T
			err = rows.Scan(fields(&row)...)
			list = append(list, row)
		}
		return cmp.Or(err, rows.Err())
	})
	return list, err
}

// column is for rows of one column.
func column[T any](value *T) []any { return []any{value} }

var conflict = regexp.MustCompile(`\b(40001|40P01|1213|1205)\b|could not serialize|[Dd]eadlock`)

// retryConflicts repeats a statement at once after a conflict with another transaction. Databases
// report it as a serialization failure, a deadlock or a lock timeout.
func retryConflicts(ctx context.Context, f func() error) error {
	for attempt := 1; ; attempt++ {
		err := f()
		if err == nil {
			return nil
		}
		if attempt == 10 || !conflict.MatchString(err.Error()) || wait.For(ctx, wait.Backoff(attempt, 5*time.Millisecond, 100*time.Millisecond)) != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
	}
}

// sql returns a statement in the dialect of the database.
func (s *Store) sql(words *strings.Replacer, statement string) string {
	statement = words.Replace(statement)
	if s.Dialect != DialectPostgreSQL {
		return statement
	}
	var b strings.Builder
	for i, part := range strings.Split(statement, "?") {
		if i > 0 {
			b.WriteString("$" + strconv.Itoa(i))
		}
		b.WriteString(part)
	}
	return b.String()
}

// list repeats a part of a statement.
func list(part string, n int) string { return strings.Repeat(", "+part, n)[2:] }

// in returns the values of a statement that ends with a list of signatures.
func in(signatures []types.Signature, values ...any) []any {
	for _, s := range signatures {
		values = append(values, string(s))
	}
	return values
}

// A document scans JSON.
type document struct{ into any }

// Scan implements [sql.Scanner].
func (d document) Scan(v any) error {
	var text sql.NullString
	if err := text.Scan(v); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text.String), d.into)
}
