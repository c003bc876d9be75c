package main

const (
	transport = "internal/transport internal/faults"
	decoding  = "internal/decode internal/transport internal/faults"
	paging    = "internal/paging internal/faults"
	node      = "rpc internal/conformance internal/faults"
	indexer   = "compressed internal/conformance internal/faults"
	assets    = "rpc/das internal/conformance internal/faults"
)

// mutants are grouped by the promise that they break.
func mutants() []mutant {
	return []mutant{
		// 1. The key stays inside.
		{"scrub no text", "internal/transport/secret.go", `	if found == nil {`, `	if true {`, transport},
		{"look for the key as it is alone", "internal/transport/secret.go", `		if !plain.unescape() {`, `		if true {`, transport},
		{"look for the key in its own letter case", "internal/transport/secret.go", `		folded := fold(plain.text)`, `		folded := plain.text`, transport},
		{"pass a Transport's errors on as they are", "internal/transport/secret.go", `	if len(text) <= maxText && !s.inTree(err) {`, `	if true {`, transport},
		{"tell a trace the key", "internal/transport/roundtrip.go", `			theirs.WroteHeaderField(name, hidden)`, `			theirs.WroteHeaderField(name, values)`, transport},
		{"name the arguments of an operation", "internal/transport/op.go", `	_, wire, _ := strings.Cut(string(o), " ")`, `	wire := string(o)`, transport},
		{"take http:// for any host", "internal/transport/client.go", `case u.Scheme == "http" && !loopback(u.Hostname()):`, `case false:`, transport},
		{"print a Config with its key", "types/config.go", `		masked(c.APIKey), c.shown(string(c.Network))`, `		c.APIKey, c.shown(string(c.Network))`, "types internal/faults"},
		{"log a Config with its key", "types/config.go", `slog.String("APIKey", masked(c.APIKey))`, `slog.String("APIKey", c.APIKey)`, "types internal/faults"},
		{"log the key with the name of a call", "internal/transport/call.go", `slog.String("op", c.op.String())`, `slog.String("op", c.op.String()+string(c.secret.texts[0]))`, transport},
		{"send the key as Referer too", "internal/transport/roundtrip.go", `	u := *r.URL`, `	u := *r.URL; defer func() { r.Header["Referer"] = []string{u.String()} }()`, "internal/faults internal/transport"},
		{"quote arguments with the key", "internal/transport/client.go", `			return c.secret.clean(fmt.Errorf("%s: %w", op.Method(), err))`, `			return fmt.Errorf("%s: %w", op.Method(), err)`, transport},

		// 2. A call ends with its context.
		{"sleep on when the context ends", "internal/transport/call.go", `	case <-ctx.Done():`, `	case <-context.Background().Done():`, transport},
		{"bound no try", "internal/transport/roundtrip.go", `	t.timer = time.AfterFunc(t.timeout,`, `	t.timer = time.AfterFunc(1000*t.timeout,`, "internal/faults internal/transport"},
		{"drop the cause of a context", "internal/transport/call.go", `		return fmt.Errorf("%w: %w", err, cause)`, `		return err`, transport},
		{"drop the last failure when the context ends", "internal/transport/call.go", `	if c.last == nil {`, `	if true {`, transport},
		{"wait beyond the deadline", "internal/transport/policy.go", `ok && time.Until(deadline) <= wait {`, `false && ok && time.Until(deadline) <= wait {`, transport},
		{"take a cancelled context for the end of a walk", "internal/paging/paging.go", `	case ctx.Err() != nil: // fetch`, `	case false: // fetch`, paging},

		// 3. Retries make nothing worse.
		{"retry a create", "internal/transport/policy.go", `r == idempotent && !creates }`, `r == idempotent }`, transport},
		{"let net/http repeat a create", "internal/transport/attempt.go", `repeatable: !c.creates && c.method != http.MethodDelete,`, `repeatable: c.method != http.MethodDelete,`, transport},
		{"let net/http repeat a delete", "internal/transport/attempt.go", `repeatable: !c.creates && c.method != http.MethodDelete,`, `repeatable: !c.creates,`, transport},
		{"keep net/http from repeating a read", "internal/transport/attempt.go", `		r.Header["Idempotency-Key"] = nil`, ``, transport},
		{"let net/http repeat as often as it likes", "internal/transport/roundtrip.go", `		t.drop(errDropped) //`, `		_ = errDropped //`, transport},
		{"repeat without paying", "internal/transport/roundtrip.go", `t.reused && t.budget.take():`, `t.reused:`, transport},
		{"believe a Transport that has sent", "internal/transport/attempt.go", `		if !sent {`, `		if true {`, transport},
		{"report what a try has deleted as missing", "internal/transport/request.go", `	if executed && errors.Is(err, types.ErrNotFound) {`, `	if executed && false && errors.Is(err, types.ErrNotFound) {`, "webhooks internal/faults"},
		{"take what was never there for deleted", "internal/transport/request.go", `	if executed && errors.Is(err, types.ErrNotFound) {`, `	if (executed || true) && errors.Is(err, types.ErrNotFound) {`, "webhooks internal/faults"},
		{"ignore Retry-After", "internal/transport/refusal.go", `e.RetryAfter = retryAfter(header, time.Now())`, `e.RetryAfter = 0`, transport},
		{"count a date from the clock here", "internal/transport/refusal.go", `		now = date`, `		_ = date`, transport},
		{"sleep for an hour", "internal/transport/policy.go", ` || f.retryAfter > longestWait || `, ` || `, transport},
		{"wait without jitter", "internal/transport/policy.go", `	return d/2 + rand.N(d/2)`, `	return d + rand.N(time.Duration(1))`, transport},
		{"never wait longer", "internal/transport/policy.go", `	for ; n > 1 && d < longestWait; n-- {`, `	for ; false; n-- {`, transport},
		{"charge no budget", "internal/transport/policy.go", `	if !c.budget.take() {`, `	if false {`, transport},
		{"charge no budget for JSON-RPC", "internal/transport/policy.go", `	if !c.budget.take() {`, `	if !c.hasID && !c.budget.take() {`, transport},
		{"charge no budget to those who come too often", "internal/transport/policy.go", `	if !c.budget.take() {`, `	if !f.slow && !c.budget.take() {`, "internal/faults internal/transport"},
		{"never refill the budget", "internal/transport/loop.go", `		c.budget.give()`, ``, transport},
		{"retry when the credits are gone", "internal/transport/policy.go", `	{is(types.ErrQuotaExceeded), none},`, ``, transport},
		{"let a JSON-RPC code overrule the status", "internal/transport/policy.go", `	{statusFrom(300, 999), none},`, ``, transport},
		{"give up when a node is behind", "internal/transport/policy.go", `	{code200(-32005), idempotent},`, `	{code200(-1), idempotent},`, transport},
		{"retry where the host does not exist", "internal/transport/policy.go", `	case errors.As(err, &dns) && dns.IsNotFound && !dns.IsTemporary,`, `	case errors.As(err, &dns) && false,`, transport},
		{"ask the limiter once", "internal/transport/call.go", `	if c.limiter == nil {`, `	if c.limiter == nil || c.attempt > 0 {`, transport},
		{"ask the limiter once for a batch", "internal/transport/call.go", `	for range c.size {`, `	for range 1 {`, transport},
		{"repeat a create with the rest of a batch", "internal/transport/batch.go", `afterRefusal(refusal).includes(b.queries[i].Changes) {`, `afterRefusal(refusal).includes(false) {`, transport},
		{"take a 1xx response for the response", "internal/transport/roundtrip.go", `	t.unanswered = max(1, t.unanswered)`, ``, transport},
		{"repeat all of a batch", "internal/transport/batch.go", `	b.pending = retry`, `	_ = retry`, transport},
		{"take a maintenance page for an answer", "internal/transport/attempt.go", `http.StatusText(page.StatusCode), page.Message), idempotent`, `http.StatusText(page.StatusCode), page.Message), none`, transport},

		// 4. Half an answer is no result.
		{"read the body after the retries", "internal/transport/attempt.go", `fmt.Errorf("truncated response: %w", err), idempotent`, `fmt.Errorf("truncated response: %w", err), none`, transport},
		{"ignore an error inside a body", "internal/transport/attempt.go", `		return nil, c.unread(err)`, `		_ = c.unread(err)`, transport},
		{"keep what a failed try left in the result", "internal/transport/request.go", `		out = new(T) //`, `		if out == nil { out = new(T) } //`, transport},
		{"take an incomplete answer", "internal/transport/jsonrpc.go", `		return q.Check(out)`, `		return nil`, transport},
		{"take the answer to another request", "internal/transport/jsonrpc.go", `	case !sameID(e.ID, x.id):`, `	case false:`, transport},
		{"take null for a result", "internal/transport/jsonrpc.go", `	case q.Null == NullIsError:`, `	case false:`, transport},
		{"take nothing for null", "internal/transport/jsonrpc.go", `			if out == nil && !valueIsNull(body) {`, `			if false {`, transport},
		{"take an empty page where there is no list", "wallet/wallet.go", `transport.Require(l.Data != nil, `, `transport.Require(true, `, "wallet internal/faults"},
		{"take no list of accounts for none", "compressed/listings.go", `transport.Require(l.Items != nil, `, `transport.Require(true, `, "compressed internal/faults"},
		{"end a listing that does not say where it ends", "wallet/balances.go", `transport.Require(l.Pagination.HasMore != nil, `, `transport.Require(true, `, "internal/conformance internal/faults"},
		{"take null for an item", "internal/paging/paging.go", `.Elem().IsZero() {`, `.Elem().IsZero() && false {`, paging},
		{"ignore text after the JSON", "internal/decode/json.go", `	return shaped(json.Unmarshal(body, v))`, `	return shaped(json.NewDecoder(bytes.NewReader(body)).Decode(v))`, decoding},
		{"write back a webhook without its addresses", "webhooks/update.go", `transport.Require(w.AccountAddresses != nil, `, `transport.Require(true, `, "webhooks internal/faults"},

		// 5. Nothing is left behind.
		{"leave bodies open", "internal/transport/attempt.go", `	defer func() { _ = resp.Body.Close() }()`, ``, transport},
		{"leave the contexts of tries open", "internal/transport/roundtrip.go", `	t.drop(nil)`, `	_ = t.drop`, transport},
		{"leave a prefetch running", "internal/paging/paging.go", `				<-ahead.done //`, `				_ = ahead //`, paging},
		{"wait for a prefetch instead of ending it", "internal/paging/paging.go", `			cancel()`, `			defer cancel()`, paging},
		{"let a prefetch end the process", "internal/paging/paging.go", `		defer func() { p.panic = recover() }()`, ``, paging},

		// 6. A walk yields each item once, in order, or ends with an error.
		{"ignore a repeated cursor", "internal/paging/paging.go", `				if seen[key] {`, `				if false {`, paging},
		{"remember one cursor only", "internal/paging/paging.go", `				seen[key] = true`, `				seen = map[uint64]bool{key: true}`, paging},
		{"take cursors of any length", "internal/paging/paging.go", `	if len(cursor) > maxCursor {`, `	if false {`, paging},
		{"end a walk quietly on an error", "internal/paging/paging.go", `			got, err := take(ctx, ahead, place, fetch)`, `			got, err := take(ctx, ahead, place, fetch); if err != nil { return }`, paging},
		{"skip the page after a prefetch", "internal/paging/paging.go", `				ahead = request(ctx, following, fetch)`, `				ahead = request(ctx, place, fetch)`, paging},
		{"take another page than asked for", "wallet/balances.go", `		if got != number {`, `		if false {`, "wallet internal/faults"},
		{"end a history that lost its cursor", "wallet/wallet.go", `	case page.Cursor == "":`, `	case false:`, "wallet internal/faults"},

		// The walks of rpc.
		{"go on after the first signature of a page", "rpc/signature.go", `string(page.Items[n-1].Signature), true`, `string(page.Items[0].Signature), true`, node},
		{"end signatures at a short page", "rpc/signature.go", `	if n := len(page.Items); n > 0 {`, `	if n := len(page.Items); n >= cmp.Or(config.Limit, 1000) {`, node},
		{"take no list of transactions for none", "rpc/transactions_for_address.go", `transport.Require(p.Data != nil, `, `transport.Require(true, `, node},
		{"ignore the order of slots", "rpc/order.go", `				if started && l.breaks(`, `				if started && false && l.breaks(`, node},
		{"start the order anew with each page", "rpc/order.go", `			for i := range page.Items {`, `			started = false; for i := range page.Items {`, node},
		{"take a repeated transaction for the next one", "rpc/order.go", ` || index == lastIndex && !l.shared`, ``, "rpc"},
		{"take the cursor from one place only", "rpc/accounts_v2.go", `	if p.Value != nil && p.Value.Key != "" {`, `	if false {`, node},
		{"take too few statuses", "rpc/signature.go", `transport.OnePer(len(part), len(*list))`, `nil`, node},

		// The walks of compressed.
		{"follow leaf indexes", "compressed/accounts_order.go", `	if descent(page) < 0 {`, `	if true {`, "compressed"},
		{"take a few ascending hashes for an order", "compressed/accounts_order.go", `l.byHash || len(page.Items) >= enough`, `true`, "compressed"},
		{"take the largest page for the whole listing", "compressed/accounts_order.go", `	if err != nil || all.HasMore {`, `	if err != nil {`, "compressed"},
		{"take an item that comes again", "compressed/order.go", `o.compare(before, item) >= 0`, `o.compare(before, item) > 0`, "compressed"},
		{"ignore accounts in no part", "compressed/partition.go", `	case w.sums.rest == hiddenRest:`, `	case false:`, "compressed"},
		{"take any page for the whole listing", "compressed/accounts_order.go", `	return !slices.ContainsFunc(all.Items, `, `	return true || !slices.ContainsFunc(all.Items, `, indexer},
		{"ignore the item of a cursor", "compressed/order.go", `	if next != nil && before != nil && `, `	if false && `, indexer},
		{"forget the version of a method", "compressed/version.go", `	lacks, known := c.lacks.Load(op.v2())`, `	lacks, known := c.lacks.LoadAndDelete(op.v2())`, indexer},
		{"drop the error of a part of a batch", "internal/transport/parts.go", `			errs[start] = err`, `			_ = err`, indexer},
		{"take too few results of a batch", "compressed/batch.go", `transport.OnePer(inputs, len(*l))`, `nil`, indexer},
		{"end a listing that has no cursors", "compressed/signatures.go", `p.Cursor == "" && len(p.Items) >= size {`, `false && len(p.Items) >= size {`, indexer},

		// The walks of das.
		{"end assets at a short page", "rpc/das/place.go", `	if page.Cursor == "" && len(page.Items) > 0 {`, `	if page.Cursor == "" && len(page.Items) >= at.size() {`, assets},
		{"end assets at an empty page", "rpc/das/walk.go", `			err = w.crossGap(ctx, page)`, `			err = nil`, assets},
		{"take a gap for the end of a listing", "rpc/das/walk.go", `	return w.order.beyond(page.Items), nil`, `	return w.order.beyond(page.Items[:0]), nil`, assets},
		{"take a failed check for a good one", "rpc/das/walk.go", `	if refused(err) { // the check`, `	if err != nil { // the check`, assets},
		{"drop assets that cannot be shown", "rpc/das/list.go", `	for _, e := range l.Errors {`, `	for _, e := range l.Errors[:0] {`, assets},
		{"go on after the lowest ID of a range", "rpc/das/list.go", `compare(items[i].ID, top) > 0 {`, `compare(items[i].ID, top) < 0 {`, assets},
		{"keep the number of a page that gets smaller", "rpc/das/place.go", `			return place{(p.page-1)*(size/half) + 1, half}, true`, `			return place{p.page, half}, true`, assets},
		{"take the first page for the next one", "rpc/das/place.go", `	if r.known && key == r.first {`, `	if false {`, assets},
		{"drop the error of a part of the assets", "internal/transport/parts.go", `		errs[i] = failed.Errs[place]`, `		_, _ = i, place`, assets},
		{"take a page that was divided for the end of a listing", "rpc/das/walk.go", `	if len(page.Items) == 0 && q.size.N != 0 {`, `	if false {`, "rpc/das"},

		// Nothing hostile costs much.
		{"forget the cap of answers", "internal/decode/content.go", `		case len(dst)-start > limit:`, `		case false:`, decoding},
		{"cut answers at the cap", "internal/decode/content.go", `min(cap(dst), start+limit+1)]`, `min(cap(dst), start+limit)]`, decoding},
		{"read refusals of any length", "internal/transport/attempt.go", `maxRefusal = 1 << 20`, `maxRefusal = 1 << 40`, transport},
		{"make room for all that an answer promises", "internal/transport/attempt.go", `min(n, maxPooled, int64(limit))`, `n`, transport},
		{"keep buffers of any size", "internal/transport/attempt.go", `	if cap(b.b) <= maxPooled {`, `	if true {`, transport},
		{"read long numbers", "internal/decode/number.go", `		if end-start <= maxNumber {`, `		if end-start <= 1000*maxNumber {`, decoding},
		{"read huge exponents", "internal/decode/json.go", `decimal.MaxDecodeExponent > maxExponent && `, `decimal.MaxDecodeExponent > 1<<30 && `, decoding},
		{"read texts of any length", "internal/decode/json.go", `	case longText(body):`, `	case false:`, decoding},
		{"read a million numbers as objects", "internal/decode/guard.go", ` || misfits > c.misfitLimit(body) || `, ` || `, decoding},
		{"read maps of any size", "internal/decode/guard.go", `c.maps && members > maxMembers {`, `false {`, decoding},
		{"read a million empty objects", "internal/decode/json.go", `	case cost.exceeds(body):`, `	case false:`, decoding},
		{"decompress without a limit", "internal/decode/content.go", `	dst, err := Append(dst, r, MaxContent)`, `	dst, err := Append(dst, r, 16*MaxContent)`, decoding},
		{"give a zstd frame what it wants", "internal/decode/content.go", `zstd.WithDecoderMaxMemory(MaxContent), zstd.WithDecoderMaxWindow(MaxContent)`, `zstd.WithDecoderMaxMemory(1<<40)`, decoding},
		{"wait for a Reader that returns nothing", "internal/decode/content.go", `			if empty == 100 {`, `			if empty == 1<<40 {`, decoding},
		{"expand account data without a limit", "internal/decode/content.go", `zstd.WithDecoderMaxMemory(maxAccount)`, `zstd.WithDecoderMaxMemory(1<<32)`, "rpc internal/faults"},
		{"decode base58 of any length", "rpc/data.go", `		case len(d.Encoded) > maxBase58:`, `		case false:`, "rpc internal/faults"},
		{"decode addresses of almost any length", "types/address.go", `	if len(text) < shortest || len(text) > longest {`, `	if len(text) < shortest || len(text) > 1000*longest {`, "types internal/faults"},

		// The receiver.
		{"handle duplicates", "webhooks/seen.go", `	return !young && !old, nil`, `	return !young && !old || true, nil`, "webhooks"},
		{"let duplicates run side by side", "webhooks/seen.go", `	if end, busy := f.ends[signature]; busy {`, `	if end, busy := f.ends[signature]; busy && false {`, "webhooks"},
		{"mark what failed as done", "webhooks/delivery.go", `	if done {`, `	if true {`, "webhooks"},
		{"let a refusal quote the secret of a webhook", "webhooks/webhooks.go", `Secrets: []string{string(s.AuthHeader), string(before)},`, `Secrets: nil,`, "webhooks"},
		{"read deliveries without a length to their end", "webhooks/receiver.go", `io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))`, `io.ReadAll(req.Body)`, "webhooks"},
		{"take any secret", "webhooks/receiver.go", `	return match == 1`, `	return true`, "webhooks"},

		// What a webhook missed.
		{"move the checkpoint past a failed event", "webhooks/backfill.go", `	if b.report.Failed > 0 {`, `	if false {`, "webhooks"},
		{"move the checkpoint past recent events", "webhooks/backfill.go", `	if b.cfg.UntilSlot == 0 && `, `	if false && `, "webhooks"},
		{"let deliveries move the safe slot", "webhooks/safe_slot.go", `err = keeper.HoldSlot(ctx, slot)`, `err = keeper.HoldSlot(ctx, 0)`, "webhooks"},
		{"let a claim lapse while Handle runs", "webhooks/delivery.go", `	if !renews {`, `	if !renews || true {`, "webhooks"},
		{"merge histories out of order", "webhooks/past.go", `	if more && before != nil && e.Err == nil && e.Slot < before.Slot {`, `	if false {`, "webhooks"},
		{"end all histories with the first", "webhooks/past.go", `				heap.Pop(&all)`, `				all = nil`, "webhooks"},
		{"mark what a backfill failed as done", "webhooks/past.go", `			_ = r.settle(ctx, e, false) // logs`, `			_ = r.settle(ctx, e, true) // logs`, "webhooks"},
		{"take a claim of another process for done", "webhooks/past.go", `			return isNew && err == nil, err`, `			return isNew && err == nil, nil`, "webhooks"},
		{"forget the events that Seen missed", "webhooks/missed.go", `	m.slots[e.Signature] = e.Slot`, `	_ = e`, "webhooks"},
		{"let an event be done before a missed one is open", "webhooks/delivery.go", `	_ = r.openMissed(ctx) // otherwise`, `	// otherwise`, "webhooks"},
		{"end a history at a search without a match", "webhooks/history.go", `		return &types.Page[T]{Cursor: string(cursor), HasMore: true}, nil`, `		return &types.Page[T]{}, nil`, "webhooks"},
		{"end a history at a short page", "webhooks/history.go", `	if len(page.Items) > 0 {`, `	if len(page.Items) >= max(o.Limit, 100) {`, "webhooks"},
		{"write back the missing addresses alone", "webhooks/reconcile.go", `		next.AccountAddresses = append(without(unique(has.AccountAddresses), set(d.Unwanted)), d.Missing...)`, `		next.AccountAddresses = d.Missing`, "webhooks"},
	}
}
