package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/solwire/solwire-go/types"
)

// A checkpoint is where a walk stands when a page is done with.
type checkpoint struct {
	Owner    types.Address `json:"owner"`
	Cursor   string        `json:"cursor"` // of the next page; empty at the start, which has no file
	Pages    int           `json:"pages"`
	Accounts int           `json:"accounts"`
}

// load returns the checkpoint in file, or the start if there is none. A cursor
// goes before the file. The service would take one of another owner without a
// word, and start somewhere in the middle.
func load(file string, owner types.Address, cursor string) (checkpoint, error) {
	c := checkpoint{Owner: owner, Cursor: cursor}
	if file == "" || cursor != "" {
		return c, nil
	}
	text, err := os.ReadFile(file) //nolint:gosec // whoever runs this names it
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	if c.Owner != owner {
		return c, fmt.Errorf("%s keeps the place in a walk of another owner, %s", file, c.Owner)
	}
	return c, nil
}

// save replaces file in one step, so that a crash leaves the old checkpoint or
// the new one. The last page has no cursor: then the walk is over and file
// goes away, or the next run would take it for the start.
func (c checkpoint) save(file string) error {
	if file == "" {
		return nil
	}
	if c.Cursor == "" {
		return os.RemoveAll(file)
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
