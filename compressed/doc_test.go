package compressed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fake"
)

// A printer counts the lines that a snippet prints.
type printer struct{ lines int }

func (p *printer) Println(...any) { p.lines++ }

func TestSnippetsOfThePackageCommentRun(t *testing.T) {
	t.Parallel()
	var fmt printer
	const owner, slot = fake.Owner, 344112200
	ctx, client := t.Context(), client(t, unsound(3500, 1).Service())
	require.NoError(t, func() error {
		plan, err := client.PlanPartitionedAccountsByOwner(ctx, owner, nil)
		if err != nil {
			return err
		}
		fmt.Println("this costs", 10*plan.Requests, "credits or more")
		opts := &compressed.PartitionOptions{Offsets: plan.Offsets, Concurrency: 4}
		for account, err := range client.PartitionedAccountsByOwner(ctx, owner, opts).All() {
			if err != nil {
				return err
			}
			fmt.Println(account.Hash)
		}
		if err := client.WaitForSlot(ctx, slot); err != nil {
			return err
		}
		return nil
	}())
	require.Equal(t, 1+3500, fmt.lines)
}
