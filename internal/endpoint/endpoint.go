// Package endpoint checks a types.Config, and finds the URL of a host in it.
package endpoint

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// A Host is one of the hosts of the service.
type Host int

// The hosts, each with its URL in types.Config.
const (
	RPC Host = iota
	Wallet
	Webhooks
	ParsedStreams
	Sender
)

// An api is the name of a host's API, its field in types.Config, and its public URLs, empty
// where devnet lacks it.
type api struct{ name, field, mainnet, devnet string }

var hosts = [...]api{
	RPC:           {"RPC", "RPCURL", types.MainnetRPCURL, types.DevnetRPCURL},
	Wallet:        {"Wallet", "WalletURL", types.MainnetWalletURL, ""},
	Webhooks:      {"Webhooks", "WebhooksURL", types.MainnetWebhooksURL, types.DevnetWebhooksURL},
	ParsedStreams: {"Parsed Streams", "ParsedStreamsURL", types.MainnetParsedStreamsURL, ""},
	Sender:        {"Sender", "SenderURL", types.MainnetSenderURL, ""},
}

// Field returns the field of types.Config that overrides the URL of a host.
func (h Host) Field() string { return hosts[h].field }

// Of returns the URL of a host. It refuses a Config with which no request succeeds. An error does
// not quote a URL, but may quote other fields.
func Of(cfg types.Config, host Host) (*url.URL, error) {
	if err := checkKey(cfg.APIKey.Reveal()); err != nil {
		return nil, err
	}
	if cfg.MaxAttempts < 0 {
		return nil, configError(fmt.Sprintf("MaxAttempts %d", cfg.MaxAttempts), "is negative; 0 means 4 and 1 turns retries off")
	}
	return urlOf(cfg, host)
}

func configError(field, problem string) error {
	return fmt.Errorf("types.Config: %s %s: %w", field, problem, types.ErrInvalid)
}

// checkKey refuses text that is often mistaken for a key. It also refuses a key that is not valid
// in a header, such as one with the newline of its file.
func checkKey(key string) error {
	switch {
	case key == "":
		return configError("APIKey", "is empty")
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return configError("APIKey", "contains white space or a character outside ASCII; trim it")
	case strings.Contains(key, "://"):
		return configError("APIKey", "is a URL; set it to the part after api-key=")
	case key == types.Key(key).String():
		return configError("APIKey", "is ***, the printed form of a key")
	case strings.Trim(key, "\"'`") != key:
		return configError("APIKey", "is in quotes; remove them")
	}
	return nil
}

// urlOf returns the URL of host. It discards the error of url.Parse, which quotes
// the URL.
func urlOf(cfg types.Config, host Host) (*url.URL, error) {
	network := cmp.Or(cfg.Network, types.NetworkMainnet)
	h := hosts[host]
	public := h.mainnet
	switch network {
	case types.NetworkMainnet:
	case types.NetworkDevnet:
		public = h.devnet
	default:
		return nil, configError(fmt.Sprintf("Network %q", network), "is neither mainnet nor devnet")
	}
	urls := [...]string{cfg.RPCURL, cfg.WalletURL, cfg.WebhooksURL, cmp.Or(cfg.ParsedStreamsURL, cfg.RPCURL), cmp.Or(cfg.SenderURL, cfg.RPCURL)}
	raw := urls[host]
	switch {
	case raw != "":
	case public == "":
		return nil, configError("Network", fmt.Sprintf("%s has no %s API; set Network to mainnet, or %s to a host that has it", network, h.name, h.field))
	case slices.ContainsFunc(urls[:], func(other string) bool { return foreign(other, network) }): // defaulting this one would be a mistake
		return nil, configError(h.field, fmt.Sprintf("is empty, which means %s, and another URL belongs to another network; set Network", network))
	default:
		raw = public
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, configError(h.field, "is not a URL with a scheme and a host")
	case u.User != nil || strings.ContainsAny(raw, "?#"):
		return nil, configError(h.field, "has a user, query or fragment; set the key in APIKey")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, configError(h.field, "does not start with https://")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, configError(h.field, "uses http for a host that is not loopback; use https")
	case foreign(raw, network):
		return nil, configError(h.field, fmt.Sprintf("is a host of another network than %s; set Network", network))
	}
	return u, nil
}

// foreign reports whether a URL is on the public host of another network.
func foreign(raw string, network types.Network) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" && slices.ContainsFunc(hosts[:], func(h api) bool {
		other := h.devnet
		if network == types.NetworkDevnet {
			other = h.mainnet
		}
		host, _, _ := strings.Cut(strings.TrimPrefix(other, "https://"), "/")
		return strings.EqualFold(u.Hostname(), host)
	})
}

func loopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}
