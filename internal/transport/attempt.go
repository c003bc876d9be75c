package transport

import (
	"errors"
	"net/http"
	"net/url"
)

// errOtherHost ends a request that something above tried to send elsewhere.
var errOtherHost = errors.New("request to another host refused: it would carry the key there")

// attempt is the innermost RoundTripper of ours, and the only one that sees
// the key: requests above it and the errors it returns do not hold it. It has
// no CloseIdleConnections, so that one failed call does not close the
// connections of all the others.
type attempt struct {
	next         http.RoundTripper
	scheme, host string // the only ones the key is sent to
	inHeader     bool   // where the key goes: into a header, else into the query
	secret       *secret
}

func (a *attempt) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != a.scheme || req.URL.Host != a.host {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, errOtherHost
	}
	keyed := req.WithContext(req.Context())
	if a.inHeader {
		keyed.Header = req.Header.Clone()
		keyed.Header.Set("X-Api-Key", a.secret.key)
	} else {
		u := *req.URL
		u.RawQuery = joinQuery(u.RawQuery, "api-key="+url.QueryEscape(a.secret.key))
		keyed.URL = &u
	}
	resp, err := a.next.RoundTrip(keyed)
	if err != nil {
		return nil, a.secret.clean(err)
	}
	if resp != nil { // a caller's Transport may be wrong; net/http says so
		resp.Request = req
	}
	return resp, nil
}

func joinQuery(a, b string) string {
	if a == "" {
		return b
	}
	return a + "&" + b
}
