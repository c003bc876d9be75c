package fleet

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// work stores the next page of an address that no other process works on. It returns
// sql.ErrNoRows if there is none.
func work(ctx context.Context, db *sql.DB, client *rpc.Client, opts rpc.TransactionsForAddressOptions) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	var address types.Address
	err = tx.QueryRowContext(ctx, "SELECT address, cursor FROM jobs WHERE NOT done ORDER BY address LIMIT 1 FOR UPDATE SKIP LOCKED").Scan(&address, &opts.Cursor)
	if err != nil {
		return err
	}
	page, err := client.TransactionsForAddress(ctx, address, &opts).Page()
	if err != nil {
		return err
	}
	for _, t := range page.Items {
		body, err := json.Marshal(t)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO transactions VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", address, t.Signature, string(body))
		if err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, "UPDATE jobs SET cursor = $2, done = $3 WHERE address = $1", address, page.Cursor, !page.HasMore)
	if err != nil {
		return err
	}
	return tx.Commit()
}
