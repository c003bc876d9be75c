package progress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Serve serves on an address until ctx ends. It returns the address, whose port may have been
// 0, and the function that waits for the end.
func Serve(ctx context.Context, address string, handler http.Handler) (on net.Addr, wait func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, nil, fmt.Errorf("%w; -h names the flag of another address", err)
	}
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }() // ends with ctx
	context.AfterFunc(ctx, func() { _ = server.Close() })
	return listener.Addr(), func() error {
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}, nil
}
