package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
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
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

//go:embed assets
var embedded embed.FS

// policy restricts the page to its own scripts and files, and images over https. No other page
// can frame it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' https:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// A dashboard serves the page.
type dashboard struct {
	wallets    *wallet.Client
	assets     *das.Client
	parsed     *parsedapi.Client
	compressed *compressed.Client
	node       *rpc.Client
	streams    *stream.Client
	meter      *types.Meter
	owner      types.Address // of the first page
	explorer   string
	clock      func() time.Time
	madeUp     bool // whether the data is of a fake, whose image links lead nowhere
	templates  *template.Template
	labels     sync.Map // from an address to its label
	zips       sync.Pool

	mu    sync.Mutex
	views map[types.Address]*view
}

func newDashboard(cfg types.Config, explorer string, clock func() time.Time) (*dashboard, error) {
	d := &dashboard{
		meter: cfg.Meter, explorer: strings.TrimRight(explorer, "/"), clock: clock, views: map[types.Address]*view{},
	}
	var errs [8]error
	d.wallets, errs[0] = wallet.New(cfg)
	d.assets, errs[1] = das.New(cfg)
	d.compressed, errs[2] = compressed.New(cfg)
	d.streams, errs[3] = stream.New(cfg)
	d.node, errs[4] = rpc.New(cfg)
	d.parsed, errs[5] = parsedapi.New(cfg)
	if u, err := url.Parse(explorer); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		errs[6] = fmt.Errorf("-explorer %q is not a URL", explorer)
	}
	d.templates, errs[7] = template.New("").Funcs(template.FuncMap{
		"amount": amount, "axis": axis, "drawn": drawn, "label": d.label, "money": money, "picture": d.picture, "price": price, "short": short, "signed": signed, "utc": utc,
	}).ParseFS(embedded, "assets/*.html", "assets/picture.svg")
	return d, errors.Join(errs[:]...)
}

// handler serves the page, its files and its live events.
func (d *dashboard) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", d.zipped(http.HandlerFunc(d.servePage)))
	mux.HandleFunc("GET /live", d.serveLive)
	mux.Handle("GET /picture.svg", d.zipped(http.HandlerFunc(d.servePicture)))
	mux.Handle("GET /assets/{file}", d.zipped(http.FileServerFS(embedded))) // without a list
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

// zipped compresses responses.
func (d *dashboard) zipped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept-Encoding")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		zip, ok := d.zips.Get().(*gzip.Writer) // each takes a megabyte
		if !ok {
			zip = gzip.NewWriter(nil)
		}
		defer d.zips.Put(zip)
		zip.Reset(w)
		z := zipWriter{w, zip}
		next.ServeHTTP(z, r)
		if z.on() {
			_ = z.zip.Close()
		}
	})
}

// A zipWriter compresses a body, unless it is an error of net/http.
type zipWriter struct {
	http.ResponseWriter

	zip *gzip.Writer
}

func (w zipWriter) on() bool { return w.Header().Get("Content-Encoding") != "" }

func (w zipWriter) Write(b []byte) (int, error) {
	if w.on() {
		return w.zip.Write(b)
	}
	return w.ResponseWriter.Write(b)
}

func (d *dashboard) servePage(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	query, fresh := cmp.Or(strings.TrimSpace(r.FormValue("wallet")), string(d.owner)), r.FormValue("fresh") != ""
	p := page{Query: query, Default: d.owner, Explorer: d.explorer, MadeUp: d.madeUp, Range: spanOf(r.FormValue("range")), Sort: r.FormValue("sort")}
	status := http.StatusOK
	owner, err := d.resolve(ctx, query)
	if err != nil {
		p.Err, status = plainWallet(query, err), failure(err)
	} else {
		p.Wallet = owner
		d.fill(ctx, &p, fresh)
	}
	// so that a reload does not cost the same again
	if err == nil && (fresh || query != string(owner)) {
		http.Redirect(w, r, p.Link(p.Range.Name, p.Sort), http.StatusSeeOther)
		return
	}
	p.Credits, p.Spent = d.meter.Credits(), d.meter.Spent()
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

// picture returns a link to an image, if the page may load it, otherwise a picture of our own.
func (d *dashboard) picture(link, drawn string) string {
	u, err := url.Parse(link)
	if err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && !d.madeUp {
		return link
	}
	return drawn
}

// drawn returns a link to a picture of our own: a letter for a token, a landscape without a label.
func drawn(id types.Address, label string) string {
	first := ""
	for _, letter := range clean(label) {
		first = string(letter)
		break
	}
	return "/picture.svg?" + url.Values{"id": {string(id)}, "label": {first}}.Encode()
}

// servePicture draws the picture of an id.
func (d *dashboard) servePicture(w http.ResponseWriter, r *http.Request) {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(r.FormValue("id")))
	sum := hash.Sum32()
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "max-age=86400")
	_ = d.templates.ExecuteTemplate(w, "picture.svg", map[string]any{
		"Hue": sum % 360, "Second": (sum%360 + 40) % 360, "X": 20 + sum>>4%60, "Y": 22 + sum>>12%26, "A": 50 + sum>>8%14, "B": 58 + sum>>16%14, "C": 48 + sum>>20%16,
		"Label": clean(r.FormValue("label")),
	})
}
