package fake

import (
	"encoding/json"

	"github.com/solwire/solwire-go/internal/golden"
)

// shaped answers a method that only reads from internal/golden, in the shape that
// its params ask for: encoding, details, context and number of items.
func shaped(method string) operation {
	return func(s *Service, c *call) ([]byte, *refusal) {
		if refused := tooMany(method, len(inputsOf(c.params))); refused != nil {
			return nil, refused
		}
		body, _ := golden.Method(method, c.params)
		result, refused := constant(body)(s, c)
		if refused != nil {
			return nil, refused
		}
		if result, refused = s.narrowed(method, result, c.params); refused != nil {
			return nil, refused
		}
		switch method {
		case "getMultipleAccounts", "getSignatureStatuses", "getInflationReward":
			return perInput(result, c.params), nil
		case "getProgramAccounts":
			return withoutContext(result, c.params), nil
		}
		return result, nil
	}
}

// perInput returns a result with one item for each input, the first parameter,
// by repeating or leaving out items.
func perInput(result []byte, params json.RawMessage) []byte {
	var items []json.RawMessage
	inputs := inputsOf(params)
	if inputs == nil {
		return result
	}
	members, hasContext := object(result)
	list := json.RawMessage(result)
	if hasContext {
		list = members["value"]
	}
	if json.Unmarshal(list, &items) != nil || len(items) == 0 {
		return result
	}
	sent := make([]json.RawMessage, len(inputs))
	for i := range sent {
		sent[i] = items[i%len(items)]
	}
	if !hasContext {
		return encode(sent)
	}
	members["value"] = encode(sent)
	return encode(members)
}

// inputsOf returns the first parameter if it is a list, otherwise nil.
func inputsOf(params json.RawMessage) []json.RawMessage {
	var positional, inputs []json.RawMessage
	if json.Unmarshal(params, &positional) != nil || len(positional) == 0 || json.Unmarshal(positional[0], &inputs) != nil {
		return nil
	}
	return inputs
}

// tooMany refuses more inputs than a node accepts in one call of a method.
func tooMany(method string, inputs int) *refusal {
	most := map[string]int{"getMultipleAccounts": 100, "getRecentPrioritizationFees": 128, "getSignatureStatuses": 256}[method]
	if most == 0 || inputs <= most {
		return nil
	}
	return invalidParams("Too many inputs provided; max %d", most)
}

// withoutContext returns the value of a result unless params ask for its context.
func withoutContext(result []byte, params json.RawMessage) []byte {
	var positional []json.RawMessage
	var options struct {
		WithContext bool `json:"withContext"`
	}
	if json.Unmarshal(params, &positional) == nil && len(positional) > 1 {
		_ = json.Unmarshal(positional[1], &options) // null: none
	}
	members, _ := object(result)
	if value := members["value"]; value != nil && !options.WithContext {
		return value
	}
	return result
}
