package wire

import (
	"encoding/base64"
	"encoding/json"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// Patched returns a response or a notification in which items are changed as the world says.
func Patched(w *world.World, text json.RawMessage) json.RawMessage {
	if len(w.Patches) == 0 {
		return text
	}
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil && list != nil {
		for i, item := range list {
			list[i] = Patched(w, item)
		}
		return world.Encode(list)
	}
	members, isObject := Object(text)
	if !isObject {
		return text
	}
	if id := idOf(members); w.Patches[id] != nil {
		return PatchedItem(w, id, text)
	}
	for name, value := range members {
		members[name] = PatchedItem(w, name, Patched(w, value))
	}
	return world.Encode(members)
}

// PatchedItem returns an item with an ID, which it need not have as a member.
func PatchedItem(w *world.World, id string, text json.RawMessage) json.RawMessage {
	if patch := w.Patches[id]; patch != nil {
		return Merge(text, patch)
	}
	return text
}

// idOf returns the ID of an item with some members, empty if it has none.
func idOf(members map[string]json.RawMessage) (id string) {
	for _, name := range []string{"signature", "id", "address", "pubkey", "hash", "mint"} {
		if json.Unmarshal(members[name], &id) == nil && id != "" {
			return id
		}
	}
	var encoded [2]string
	if json.Unmarshal(members["transaction"], &encoded) == nil && encoded[1] == "base64" {
		if b, _ := base64.StdEncoding.DecodeString(encoded[0]); len(b) > 64 {
			return base58.Encode(b[1:65])
		}
	}
	var decoded struct{ Signatures []string }
	if json.Unmarshal(members["transaction"], &decoded) == nil && len(decoded.Signatures) > 0 {
		return decoded.Signatures[0]
	}
	return ""
}

// Merge applies a JSON merge patch.
func Merge(text, patch json.RawMessage) json.RawMessage {
	changes, isObject := Object(patch)
	if !isObject {
		return patch
	}
	members, isObject := Object(text)
	if !isObject {
		members = map[string]json.RawMessage{}
	}
	for name, change := range changes {
		if string(change) == "null" {
			delete(members, name)
		} else {
			members[name] = Merge(members[name], change)
		}
	}
	return world.Encode(members)
}
