package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// lease is how long a claim holds: longer than Handle takes.
const lease = 2 * time.Second

// A journal is a [webhooks.SlotKeeper] in a directory, with a file for each event, so
// that processes on one machine share it. For more than a few thousand events, or for
// several machines, use package sqlseen.
type journal struct{ dir string }

func (j journal) file(signature types.Signature, ending string) string {
	return filepath.Join(j.dir, string(signature)+ending)
}

// Claim creates the file of an event, in which only one process succeeds.
func (j journal) Claim(_ context.Context, signature types.Signature, slot uint64) (bool, error) {
	open := j.file(signature, ".open")
	if info, err := os.Stat(open); err == nil && time.Since(info.ModTime()) > lease {
		// The process has died. Several processes may notice, but only one can rename the
		// file. A late one may rename the file of a new claim, and restores it.
		lapsed := j.file(signature, fmt.Sprintf(".%d", os.Getpid()))
		if os.Rename(open, lapsed) == nil {
			if info, err := os.Stat(lapsed); err == nil && time.Since(info.ModTime()) <= lease {
				_ = os.Link(lapsed, open)
			}
			_ = os.Remove(lapsed)
		}
	}
	f, err := os.OpenFile(open, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, webhooks.ErrClaimed
	}
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(j.file(signature, ".done")); err == nil { // only now: another process may just have renamed its file
		return false, errors.Join(f.Close(), os.Remove(open))
	}
	_, err = fmt.Fprint(f, slot)
	return err == nil, errors.Join(err, f.Close())
}

// Done keeps the file under another name.
func (j journal) Done(_ context.Context, signature types.Signature) error {
	return os.Rename(j.file(signature, ".open"), j.file(signature, ".done"))
}

// Release ends the claim. The file stays, for SafeSlot.
func (j journal) Release(_ context.Context, signature types.Signature) error {
	return os.Chtimes(j.file(signature, ".open"), time.Time{}, time.Now().Add(-2*lease))
}

// HoldSlot keeps the slot in a file like that of an open event. It replaces the file,
// so that a crash does not leave an empty one.
func (j journal) HoldSlot(_ context.Context, slot uint64) error {
	held := j.file("held", ".open")
	if slot > 0 {
		next := j.file("held", fmt.Sprintf(".%d", os.Getpid()))
		if err := os.WriteFile(next, fmt.Append(nil, slot), 0o600); err != nil {
			return err
		}
		return os.Rename(next, held)
	}
	if err := os.Remove(held); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SafeSlot returns the lowest slot of an open event, or the highest of all events.
func (j journal) SafeSlot(ctx context.Context) (uint64, error) {
	files, err := os.ReadDir(j.dir)
	if err != nil {
		return 0, err
	}
	var lowest, highest uint64
	for _, f := range files {
		var slot uint64
		text, err := os.ReadFile(filepath.Join(j.dir, f.Name()))
		if errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil { // Done renamed it meanwhile
			return j.SafeSlot(ctx)
		}
		if err != nil {
			return 0, err
		}
		if _, err := fmt.Sscan(string(text), &slot); err != nil {
			continue // the process died before it wrote the slot
		}
		highest = max(highest, slot)
		if filepath.Ext(f.Name()) == ".open" && (lowest == 0 || slot < lowest) {
			lowest = slot
		}
	}
	if lowest > 0 {
		return lowest, nil
	}
	return highest, nil
}
