package das

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/solwire/solwire-go/internal/decode"
)

// Content is the metadata of an asset as the service sent it. Most of it comes from
// JSON documents of third parties, so every value may have any type. The methods return
// the empty string for a value that is not a string, a number or a bool.
//
// The embedded message is the whole object, with the members $schema, json_uri, files,
// metadata and links; nil when the service sent none. Each call of a method parses it
// again.
type Content struct{ json.RawMessage }

// JSONURI returns the link to the document of the creator. Wire name: json_uri.
func (c Content) JSONURI() string { return textOf(member(c.RawMessage, "json_uri")) }

// Metadata returns the object with the name, the symbol, the description and the
// attributes; nil when there is none. It may also be JSON of another type.
func (c Content) Metadata() json.RawMessage { return member(c.RawMessage, "metadata") }

// A File is a file of an asset, most often its image.
type File struct {
	URI     string          // where the creator put it
	MIME    string          // the media type, as the creator set it; may be empty
	CDNURI  string          // a copy that the service serves; may be empty. Wire name: cdn_uri
	Quality json.RawMessage `json:",omitempty"` // any JSON; nil without one
	Context json.RawMessage `json:",omitempty"` // any JSON; nil without one. Wire name: contexts
}

// Name returns the name of the asset.
func (c Content) Name() string { return c.metadata("name") }

// Symbol returns the symbol of the asset, such as BONK.
func (c Content) Symbol() string { return c.metadata("symbol") }

// Description returns the description of the asset.
func (c Content) Description() string { return c.metadata("description") }

// TokenStandard returns the token standard of the asset, such as NonFungible or one
// of the other values of [types.TokenStandard].
func (c Content) TokenStandard() string { return c.metadata("token_standard") }

// Image returns the link to the image, or to the first file that is an image.
func (c Content) Image() string {
	if link := c.Link("image"); link != "" {
		return link
	}
	for _, f := range c.Files() {
		if strings.HasPrefix(f.MIME, "image/") && f.URI != "" {
			return f.URI
		}
	}
	return ""
}

// CDNImage returns the link to the copy of Image on the service's CDN, or Image without a copy.
// A page that links to the copy does not reveal its viewers to the creator's host.
func (c Content) CDNImage() string {
	image := c.Image()
	for _, f := range c.Files() {
		if image != "" && f.URI == image && f.CDNURI != "" {
			return f.CDNURI
		}
	}
	return image
}

// Link returns a member of the links, such as animation_url or external_url.
func (c Content) Link(name string) string {
	return textOf(member(member(c.RawMessage, "links"), name))
}

// Files returns the files. A member of an unexpected type is empty.
func (c Content) Files() []File {
	var files []File
	for _, raw := range elements(member(c.RawMessage, "files")) {
		m := members(raw)
		files = append(files, File{
			URI: unquoted(textOf(m["uri"])), MIME: textOf(m["mime"]), CDNURI: textOf(m["cdn_uri"]),
			Quality: m["quality"], Context: m["contexts"],
		})
	}
	return files
}

// unquoted removes quotes around a link: some indexers quote it twice.
func unquoted(link string) string {
	if len(link) > 1 && link[0] == '"' && link[len(link)-1] == '"' {
		return link[1 : len(link)-1]
	}
	return link
}

// An Attribute is a trait of an asset.
type Attribute struct {
	Key   string          // such as Background; empty when it has none. Wire name: trait_type
	Value json.RawMessage `json:",omitempty"` // any JSON; nil when there is none
}

// Text returns the value as text: the text of a JSON string, other values as JSON.
func (a Attribute) Text() string {
	if text := textOf(a.Value); text != "" || string(a.Value) == `""` {
		return text
	}
	return string(a.Value)
}

// Attributes returns the attributes. Most creators write a list of objects with trait_type and
// value. If they write one object, its members are the attributes, in their order. Any other
// value becomes an Attribute without a Key.
func (c Content) Attributes() []Attribute {
	raw := member(c.Metadata(), "attributes")
	switch {
	case isNull(raw):
		return nil
	case raw[0] == '{':
		return pairs(raw)
	case raw[0] != '[':
		return []Attribute{{Value: raw}}
	}
	var all []Attribute
	for _, element := range elements(raw) {
		m := members(element)
		_, named := m["trait_type"]
		if _, valued := m["value"]; named || valued {
			all = append(all, Attribute{textOf(m["trait_type"]), m["value"]})
		} else {
			all = append(all, Attribute{Value: element})
		}
	}
	return all
}

func (c Content) metadata(name string) string { return textOf(member(c.Metadata(), name)) }

// pairs returns the members of an object in its order.
func pairs(object json.RawMessage) []Attribute {
	var all []Attribute
	dec := json.NewDecoder(bytes.NewReader(object))
	_, _ = dec.Token() // the brace
	for dec.More() {
		key, err := dec.Token()
		name, isText := key.(string)
		var value json.RawMessage
		if err != nil || !isText || dec.Decode(&value) != nil {
			return all
		}
		dropNull(&value)
		all = append(all, Attribute{name, value})
	}
	return all
}

// member returns a member of an object; nil when there is none.
func member(object json.RawMessage, name string) json.RawMessage { return members(object)[name] }

// members returns the members of an object, null as nil; nil when raw is something else.
func members(raw json.RawMessage) map[string]json.RawMessage {
	if isNull(raw) || raw[0] != '{' {
		return nil
	}
	var m map[string]json.RawMessage
	_ = decode.Value(raw, &m) // it was decoded before
	for name, value := range m {
		if isNull(value) {
			m[name] = nil
		}
	}
	return m
}

// elements returns the elements of a list, null as nil; nil when raw is something else.
func elements(raw json.RawMessage) []json.RawMessage {
	if isNull(raw) || raw[0] != '[' {
		return nil
	}
	var list []json.RawMessage
	_ = decode.Value(raw, &list) // it was decoded before
	for i := range list {
		dropNull(&list[i])
	}
	return list
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || raw[0] == 'n' }

// dropNull makes a null nil.
func dropNull(raw *json.RawMessage) {
	if isNull(*raw) {
		*raw = nil
	}
}

// textOf returns the text of a string, the literal of a number or a bool, and "" for
// everything else.
func textOf(raw json.RawMessage) string {
	if isNull(raw) {
		return ""
	}
	switch raw[0] {
	case '"':
		var text string
		_ = decode.Value(raw, &text) // it was decoded before
		return text
	case '{', '[':
		return ""
	}
	return string(raw)
}
