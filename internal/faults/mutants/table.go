package main

const (
	transport = "internal/transport internal/faults"
	paging    = "internal/paging internal/faults"
)

// mutants are grouped by the promise that they break.
func mutants() []mutant {
	return []mutant{
		// 1. The key stays inside.
		{"scrub no text", "internal/transport/secret.go", `	text = s.replace.Replace(text)`, `	return text`, transport},
		{"pass a Transport's errors on as they are", "internal/transport/secret.go", `if err == nil || len(err.Error()) <= maxText && !s.inTree(err) {`, `if true {`, transport},
		{"forget the key as JSON spells it", "internal/transport/secret.go", "		strings.Trim(string(html), `\"`),", "		string(html),", transport},
		{"forget the key in lower-case percent codes", "internal/transport/secret.go", `		lowerHex(url.QueryEscape(text)),`, ``, transport},
		{"send the key to any host", "internal/transport/attempt.go", `if req.URL.Scheme != a.scheme || req.URL.Host != a.host {`, `if false {`, transport},
		{"follow redirects", "internal/transport/transport.go", `	c.http.CheckRedirect = refuseRedirect`, ``, transport},
		{"take http:// for any host", "internal/transport/transport.go", `case u.Scheme == "http" && !loopback(u.Hostname()):`, `case false:`, transport},
		{"print a Config with its key", "types/config.go", `		masked(c.APIKey), c.shown(c.RPCURL)`, `		c.APIKey, c.shown(c.RPCURL)`, "types internal/faults"},
		{"log a Config with its key", "types/config.go", `slog.String("APIKey", masked(c.APIKey))`, `slog.String("APIKey", c.APIKey)`, "types internal/faults"},
		{"log the key with the name of a call", "internal/transport/retry.go", `slog.String("op", x.op)`, `slog.String("op", x.op+x.secret.forms[0])`, transport},
		{"send the key as Referer too", "internal/transport/attempt.go", `	u := *req.URL`, `	u := *req.URL; defer func() { req.Header["Referer"] = []string{u.String()} }()`, "internal/faults internal/transport"},
		{"leave the key in the request of an answer", "internal/transport/attempt.go", `	resp.Request = req`, `	_ = req`, transport},

		// 2. A call ends with its context.
		{"go on when the context ends during a wait", "internal/transport/retry.go", `again := f.retry && ctx.Err() == nil &&`, `again := f.retry &&`, transport},
		{"bound no attempt", "internal/transport/attempt.go", `context.WithTimeoutCause(withoutKeyTrace(req.Context()), a.timeout, a.late)`, `context.WithCancel(withoutKeyTrace(req.Context()))`, "internal/faults internal/transport"},
		{"drop the cause of a context", "internal/transport/retry.go", `		return fmt.Errorf("%w: %w", err, cause)`, `		return err`, transport},
		{"drop the last failure when the context ends", "internal/transport/retry.go", `	if x.err == nil {`, `	if true {`, transport},
		{"wait beyond the deadline", "internal/transport/retry.go", `ok && time.Until(deadline) <= wait {`, `false && ok && time.Until(deadline) <= wait {`, transport},
		{"take a done context for the end of a walk", "internal/paging/paging.go", `if ahead == nil || ctx.Err() != nil {`, `if ahead == nil {`, paging},

		// 3. Retries make nothing worse.
		{"retry a create", "internal/transport/transport.go", `url: path, once: true}`, `url: path}`, transport},
		{"let net/http repeat a create", "internal/transport/retry.go", `	if !x.once && x.method != http.MethodDelete {`, `	if x.method != http.MethodDelete {`, transport},
		{"keep net/http from repeating a read", "internal/transport/retry.go", `		req.Header["Idempotency-Key"] = nil`, ``, transport},
		{"let net/http repeat a delete", "internal/transport/retry.go", `	if !x.once && x.method != http.MethodDelete {`, `	if !x.once {`, transport},
		{"report what a try has deleted as missing", "internal/transport/transport.go", `	if x.acted && errors.Is(err, types.ErrNotFound) {`, `	if false && errors.Is(err, types.ErrNotFound) {`, "webhooks internal/faults"},
		{"take what was never there for deleted", "internal/transport/transport.go", `	if x.acted && errors.Is(err, types.ErrNotFound) {`, `	if errors.Is(err, types.ErrNotFound) {`, "webhooks internal/faults"},
		{"ignore Retry-After", "internal/transport/error.go", `e.RetryAfter = retryAfter(header, time.Now())`, `e.RetryAfter = 0`, transport},
		{"count a date from the clock here", "internal/transport/error.go", `		now = date`, `		_ = date`, transport},
		{"sleep for an hour", "internal/transport/retry.go", `	if f.after > longestWait {`, `	if false {`, transport},
		{"wait without jitter", "internal/transport/retry.go", `	return d/2 + rand.N(d/2)`, `	return d`, transport},
		{"never wait longer", "internal/transport/retry.go", `	for ; n > 1 && d < longestWait; n-- {`, `	for ; false; n-- {`, transport},
		{"charge no budget", "internal/transport/retry.go", `	return x.client.budget.take()`, `	return true`, transport},
		{"charge no budget for JSON-RPC", "internal/transport/retry.go", `	return x.client.budget.take()`, `	return x.method == http.MethodPost || x.client.budget.take()`, transport},
		{"charge no budget to those who come too often", "internal/transport/retry.go", `	return x.client.budget.take()`, `	return f.slow || x.client.budget.take()`, "internal/faults internal/transport"},
		{"never refill the budget", "internal/transport/retry.go", `	x.client.budget.give()`, ``, transport},
		{"retry when the credits are gone", "internal/transport/error.go", `	case errors.Is(e, types.ErrQuotaExceeded):`, `	case false:`, transport},
		{"let a JSON-RPC code overrule the status", "internal/transport/error.go", `	case e.StatusCode >= http.StatusMultipleChoices:`, `	case false:`, transport},
		{"give up when a node is behind", "internal/transport/error.go", `	case -32004, -32005, -32014, -32016:`, `	case -1:`, transport},
		{"retry where the host does not exist", "internal/transport/error.go", `		return dns.IsNotFound && !dns.IsTemporary`, `		return false`, transport},
		{"ask the limiter once", "internal/transport/retry.go", `PrepareRetry: func(req *http.Request) error { return x.prepare(req.Context()) },`, `PrepareRetry: func(req *http.Request) error { x.tries++; return nil },`, transport},
		{"take a maintenance page for an answer", "internal/transport/decode.go", `http.StatusText(resp.StatusCode), page.Message), retry: !x.once}`, `http.StatusText(resp.StatusCode), page.Message)}`, transport},

		// 4. Half an answer is no result.
		{"read the body behind the retries", "internal/transport/retry.go", `fmt.Errorf("answer breaks off: %w", err), retry: !x.once}`, `fmt.Errorf("answer breaks off: %w", err)}`, transport},
		{"ignore an error inside a body", "internal/transport/retry.go", `	case err != nil:`, `	case false:`, transport},
		{"keep what a failed try left in the result", "internal/transport/decode.go", `	reflect.ValueOf(out).Elem().SetZero()`, `	_ = reflect.ValueOf(out)`, transport},
		{"keep what a failed try left in the envelope", "internal/transport/jsonrpc.go", `		e = envelope[T]{}`, ``, transport},
		{"take the answer to another request", "internal/transport/jsonrpc.go", `		if !sameID(e.ID, id) {`, `		if false {`, transport},
		{"take null for a result", "internal/transport/decode.go", `	if string(bytes.TrimSpace(body)) == "null" {`, `	if false {`, transport},
		{"take an empty page where there is no list", "wallet/wallet.go", `	case answer.Data == nil:`, `	case false:`, "wallet internal/faults"},
		{"take no list of accounts for none", "compressed/accounts.go", `	if page.Items == nil {`, `	if false {`, "compressed internal/faults"},
		{"ignore text after the JSON", "internal/transport/decode.go", `	return json.Unmarshal(body, v)`, `	return json.NewDecoder(bytes.NewReader(body)).Decode(v)`, transport},
		{"write back a webhook without its addresses", "webhooks/update.go", `	if w.AccountAddresses == nil {`, `	if false {`, "webhooks internal/faults"},

		// 5. Nothing is left behind.
		{"leave bodies open", "internal/transport/retry.go", `	defer func() { _ = resp.Body.Close() }()`, ``, transport},
		{"leave the timers of attempts running", "internal/transport/attempt.go", `	defer b.cancel()`, ``, transport},
		{"close the connections of all callers", "internal/transport/attempt.go", `func joinQuery(a, b string) string {`, `func (a *attempt) CloseIdleConnections() { (&http.Client{Transport: a.next}).CloseIdleConnections() }; func joinQuery(a, b string) string {`, transport},
		{"leave a prefetch running", "internal/paging/paging.go", `				<-ahead //`, `				_ = ahead //`, paging},
		{"wait for a prefetch instead of ending it", "internal/paging/paging.go", `			cancel()`, `			defer cancel()`, paging},

		// 6. A walk yields each item once, in order, or ends with an error.
		{"ignore a repeated cursor", "internal/paging/paging.go", `following != end && seen[following] {`, `false {`, paging},
		{"remember one cursor only", "internal/paging/paging.go", `			seen[following] = true`, `			seen = map[C]bool{following: true}`, paging},
		{"end a walk quietly on an error", "internal/paging/paging.go", `				yield(none, got.err)`, `				_ = none`, paging},
		{"skip the page after a prefetch", "internal/paging/paging.go", `					page, err := fetch(ctx, following)`, `					page, err := fetch(ctx, place)`, paging},
		{"take another page than asked for", "wallet/balances.go", `if got := page.Pagination.Page; got != number {`, `if got := page.Pagination.Page; false {`, "wallet internal/faults"},
		{"end a history that lost its cursor", "wallet/wallet.go", `		if page.Cursor == "" {`, `		if false {`, "wallet internal/faults"},
		{"follow leaf indexes", "compressed/accounts.go", `	return l.dropped && l.evidence >= enough`, `	return l.dropped && false`, "compressed internal/faults"},

		// Nothing hostile costs much.
		{"forget the cap of answers", "internal/transport/retry.go", `	case buf.Len() > maxBody:`, `	case false:`, transport},
		{"cut answers at the cap", "internal/transport/retry.go", `N: limit + 1}`, `N: limit}`, transport},
		{"read refusals of any length", "internal/transport/retry.go", `maxErrorBody = 1 << 20`, `maxErrorBody = 1 << 40`, transport},
		{"make room for all that an answer promises", "internal/transport/retry.go", `int(min(n, maxPooled/2))`, `int(n)`, transport},
		{"keep buffers of any size", "internal/transport/retry.go", `	if buf.Cap() <= maxPooled {`, `	if true {`, transport},
		{"read long numbers", "internal/transport/decode.go", `	if longNumber(body) {`, `	if false {`, transport},
		{"read a million empty objects", "internal/transport/decode.go", `	if crowded(body) {`, `	if false {`, transport},
		{"expand without a limit", "rpc/data.go", `zstd.WithDecoderMaxMemory(maxExpanded)`, `zstd.WithDecoderMaxMemory(1<<32)`, "rpc internal/faults"},
		{"decode base58 of any length", "rpc/data.go", `		case len(d.Encoded) > maxBase58:`, `		case false:`, "rpc internal/faults"},
		{"decode addresses of almost any length", "types/address.go", `	if len(text) < shortest || len(text) > longest {`, `	if len(text) < shortest || len(text) > 1000*longest {`, "types internal/faults"},

		// The receiver.
		{"handle duplicates", "webhooks/duplicates.go", `	return !young && !old, nil`, `	return !young && !old || true, nil`, "webhooks"},
		{"let duplicates run side by side", "webhooks/duplicates.go", `		if !busy {`, `		if !busy || true {`, "webhooks"},
		{"mark what failed as done", "webhooks/deliver.go", `	if done {`, `	if true {`, "webhooks"},
		{"let a refusal quote the secret of a webhook", "webhooks/webhooks.go", `c.api.Put(ctx, path(id), s.wire(), &w, string(s.AuthHeader))`, `c.api.Put(ctx, path(id), s.wire(), &w)`, "webhooks"},
		{"read deliveries without a length to their end", "webhooks/receiver.go", `io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))`, `io.ReadAll(req.Body)`, "webhooks"},
		{"take any secret", "webhooks/receiver.go", `	return match == 1`, `	return true`, "webhooks"},
	}
}
