package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"path"
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
	clock      func() time.Time
	madeUp     bool // whether the data is of a fake, whose image links lead nowhere
	templates  *template.Template
	labels     sync.Map // from an address to its label

	mu    sync.Mutex
	views map[types.Address]*view
}

func newDashboard(cfg types.Config, explorer string, clock func() time.Time) (*dashboard, error) {
	d := &dashboard{meter: cfg.Meter, clock: clock, views: map[types.Address]*view{}}
	var errs [7]error
	d.wallets, errs[0] = wallet.New(cfg)
	d.assets, errs[1] = das.New(cfg)
	d.compressed, errs[2] = compressed.New(cfg)
	d.streams, errs[3] = stream.New(cfg)
	d.node, errs[4] = rpc.New(cfg)
	d.parsed, errs[5] = parsedapi.New(cfg)
	d.templates, errs[6] = template.New("").Funcs(template.FuncMap{
		"amount": amount, "clean": clean, "collection": collection, "label": d.label, "money": money, "picture": d.picture, "plain": plain,
		"ranges": spans, "short": short, "signed": signed,
		"explorer": func(kind string, id any) string {
			return fmt.Sprintf("%s/%s/%s", strings.TrimRight(explorer, "/"), kind, id)
		},
	}).ParseFS(embedded, "assets/*.html")
	return d, errors.Join(errs[:]...)
}

// handler serves the page, its files and its live events.
func (d *dashboard) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", d.servePage)
	mux.HandleFunc("GET /live", d.serveLive)
	mux.HandleFunc("GET /assets/{file}", func(w http.ResponseWriter, r *http.Request) {
		name := "assets/" + r.PathValue("file")
		content, err := embedded.ReadFile(name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		send(w, r, http.StatusOK, name, content)
	})
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
	host := (&url.URL{Host: r.Host}).Hostname()
	if _, err := netip.ParseAddr(host); err != nil && host != "localhost" {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "none" || site == "same-origin"
}

// send sends a file, compressed if the browser accepts it.
func send(w http.ResponseWriter, r *http.Request, status int, name string, content []byte) {
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		var out bytes.Buffer
		zip := gzip.NewWriter(&out)
		_, _ = zip.Write(content) // to memory
		_ = zip.Close()
		content = out.Bytes()
	}
	w.WriteHeader(status)
	_, _ = io.Copy(w, bytes.NewReader(content))
}

func (d *dashboard) servePage(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	query, status := cmp.Or(strings.TrimSpace(r.FormValue("wallet")), string(d.owner)), http.StatusOK
	p := page{Query: query, Default: d.owner, MadeUp: d.madeUp, Range: spanOf(r.FormValue("range")), Sort: r.FormValue("sort")}
	var err error
	if p.Wallet, err = d.resolve(ctx, query); err != nil {
		p.Err, status = refusal(query, err)
	} else if query != string(p.Wallet) { // so that a reload does not cost the same again
		http.Redirect(w, r, p.Link(p.Range.Name, p.Sort), http.StatusSeeOther)
		return
	} else {
		d.fill(ctx, &p)
	}
	p.Credits, p.Spent = d.meter.Credits(), d.meter.Spent()
	w.Header().Set("Cache-Control", "no-store")
	var out bytes.Buffer
	if err := d.templates.ExecuteTemplate(&out, "page.html", p); err != nil {
		log.Print(err)
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	send(w, r, status, "page.html", out.Bytes())
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
	return who.Address, nil
}

// picture returns a link to an image, if the page may load it.
func (d *dashboard) picture(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || d.madeUp {
		return ""
	}
	return link
}
