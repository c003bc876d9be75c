package world

// An Update is what a new transaction changed.
type Update struct {
	Transaction *Transaction
	Accounts    []string // wallets and token accounts that it changed
}

// Watch calls f for each transaction that happens from now on, in their order. f is called
// with the lock of the world: it may read the world, and must neither block nor lock it. The
// caller holds the lock.
func (w *World) Watch(f func(Update)) { w.watch = f }

func (w *World) tell(u Update) {
	if w.watch != nil {
		w.watch(u)
	}
}
