package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"html/template"
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/wallet"
)

//go:embed assets
var embedded embed.FS

// policy lets the page load nothing but its own files and images over https, run no
// script but its own, and be framed by nobody.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// A dashboard serves the page.
type dashboard struct {
	wallets    *wallet.Client
	assets     *das.Client
	compressed *compressed.Client
	node       *rpc.Client
	streams    *stream.Client
	meter      *types.Meter
	owner      types.Address // of the first page
	explorer   string        // before the signature of a transaction
	clock      func() time.Time
	madeUp     bool // whether the service is a fake, whose image links lead nowhere
	templates  *template.Template
	labels     sync.Map // from an address to its label

	mu    sync.Mutex
	views map[types.Address]*view
}

func newDashboard(cfg types.Config, explorer string, clock func() time.Time) (*dashboard, error) {
	d := &dashboard{
		meter: cfg.Meter, explorer: explorer, clock: clock,
		madeUp: fake.Of(cfg) != nil, views: map[types.Address]*view{},
	}
	var errs [7]error
	d.wallets, errs[0] = wallet.New(cfg)
	d.assets, errs[1] = das.New(cfg)
	d.compressed, errs[2] = compressed.New(cfg)
	d.streams, errs[3] = stream.New(cfg)
	d.node, errs[4] = rpc.New(cfg)
	if u, err := url.Parse(explorer); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		errs[5] = fmt.Errorf("-explorer %q is not a URL", explorer)
	}
	d.templates, errs[6] = template.New("").Funcs(template.FuncMap{
		"amount": amount, "clean": clean, "collection": collection, "label": d.label, "money": money,
		"picture": d.picture, "price": price, "short": short, "when": when,
	}).ParseFS(embedded, "assets/page.html", "assets/picture.svg")
	return d, errors.Join(errs[:]...)
}

// handler serves the page, its files and its live events.
func (d *dashboard) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", d.servePage)
	mux.HandleFunc("GET /live", d.serveLive)
	mux.HandleFunc("GET /picture.svg", d.servePicture)
	mux.Handle("GET /assets/{file}", http.FileServerFS(embedded)) // without a list of them
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !own(r) {
			http.Error(w, "enter the IP address of the dashboard, or localhost, in the address bar", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// own reports whether a request comes from the user. Other sites must not make the browser
// load the page, which costs credits, nor reach it by a domain name of theirs (DNS
// rebinding).
func own(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err != nil && host != "localhost" {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "none" || site == "same-origin"
}

func (d *dashboard) servePage(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	status := http.StatusOK
	var p page
	query := cmp.Or(strings.TrimSpace(r.FormValue("wallet")), string(d.owner))
	fresh := r.FormValue("fresh") != ""
	owner, err := d.resolve(ctx, query)
	if err != nil {
		p.Err, status = plainWallet(query, err), failure(err)
	} else {
		p = d.view(ctx, owner, fresh)
	}
	if err == nil && (fresh || query != string(owner)) { // so that a reload does not cost the same again
		http.Redirect(w, r, "/?"+url.Values{"wallet": {string(owner)}}.Encode(), http.StatusSeeOther)
		return
	}
	p.Query, p.Age = query, d.clock().Sub(p.Loaded).Round(time.Second)
	p.Explorer, p.MadeUp, p.Credits, p.Spent = d.explorer, d.madeUp, d.meter.Credits(), d.meter.Spent()
	var out bytes.Buffer
	if err := d.templates.ExecuteTemplate(&out, "page.html", p); err != nil {
		log.Print(err)
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w)
}

// kept is how long a wallet is shown without reading it again.
const kept = time.Minute

// A view is the page of a wallet. Each wallet has a lock, so that a slow one holds up no other.
type view struct {
	mu   sync.Mutex
	page page
}

// view returns the page of a wallet: loaded within the last minute, unless it must be fresh.
func (d *dashboard) view(ctx context.Context, owner types.Address, fresh bool) page {
	d.mu.Lock()
	v := d.views[owner]
	if v == nil {
		if len(d.views) >= 100 {
			clear(d.views)
		}
		v = new(view)
		d.views[owner] = v
	}
	d.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if fresh || d.clock().Sub(v.page.Loaded) >= kept {
		before := d.meter.Credits()
		p := page{Wallet: owner, Loaded: d.clock()}
		d.load(ctx, &p)
		if err := p.failure(); err != nil {
			log.Print(err)
		}
		p.Price = d.meter.Credits() - before
		v.page = p
	}
	return v.page
}

// failure returns the status of a page without a wallet.
func failure(err error) int {
	switch {
	case errors.Is(err, types.ErrInvalid):
		return http.StatusBadRequest
	case errors.Is(err, types.ErrNotFound):
		return http.StatusNotFound
	default:
		return http.StatusBadGateway
	}
}

// resolve returns the wallet that a user asks for by its address or a domain name.
func (d *dashboard) resolve(ctx context.Context, query string) (types.Address, error) {
	if !strings.Contains(query, ".") {
		return types.ParseAddress(query)
	}
	who, err := d.wallets.Identity(ctx, query)
	if err != nil {
		return "", err
	}
	return types.ParseAddress(string(who.Address))
}

// picture returns a link to an image that the page may load: an https link, or a picture
// of our own.
func (d *dashboard) picture(link string, id types.Address, label string) string {
	u, err := url.Parse(link)
	if err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && !d.madeUp {
		return link
	}
	return "/picture.svg?" + url.Values{"id": {string(id)}, "label": {cmp.Or(clean(label), string(id))}}.Encode()
}

// servePicture draws the image of an id and a label: colors, shapes and a letter.
func (d *dashboard) servePicture(w http.ResponseWriter, r *http.Request) {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(r.FormValue("id")))
	sum := hash.Sum32()
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "max-age=86400")
	_ = d.templates.ExecuteTemplate(w, "picture.svg", map[string]any{
		"Hue": sum % 360, "Second": sum%360 + 60, "X": 15 + sum>>4%60, "Y": 20 + sum>>12%70, "Label": clean(r.FormValue("label")),
	})
}
