package world

// An Update is what a new transaction changed.
type Update struct {
	Transaction *Transaction
	Accounts    []string // wallets and token accounts that it changed
}

// Watch calls f for each transaction that happens from now on, in their order. f is called
// with the lock of the world: it may read the world, and must neither block nor lock it.
func (w *World) Watch(f func(Update)) (stop func()) {
	w.Lock()
	defer w.Unlock()
	w.watching++
	id := w.watching
	w.watchers[id] = f
	return func() {
		w.Lock()
		defer w.Unlock()
		delete(w.watchers, id)
	}
}

func (w *World) tell(u Update) {
	for id := range w.watching {
		if f := w.watchers[id+1]; f != nil {
			f(u)
		}
	}
}
