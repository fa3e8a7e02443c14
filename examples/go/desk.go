// Desks: whether an answer counts at a host.

package askuser

import "encoding/json"

// Desk is one open question at a host, from asked to closed. Where a reaction says so, store it before you carry out anything else. It has no secrets.
type Desk struct{ *handle }

// Reaction is what follows from an input: see docs/desk.md.
type Reaction struct {
	// Store says that the desk has changed: store it first.
	Store bool `json:"store"`
	// Reply is what the sender hears.
	Reply *Reply `json:"reply,omitempty"`
	// Closed is how this input closed the question: tell all clients.
	Closed string `json:"closed,omitempty"`
	// Hand is what to hand to the agent. Then bring the input "handed".
	Hand json.RawMessage `json:"hand,omitempty"`
}

// Reply is what the sender of an input hears. Status is the HTTP status that says the same as Code.
type Reply struct {
	Code     string          `json:"code"`
	Status   int             `json:"status"`
	Message  string          `json:"message"`
	Problems json.RawMessage `json:"problems"`
	Version  string          `json:"version,omitempty"`
	Walk     json.RawMessage `json:"walk,omitempty"`
}

// Ask asks a question. Call is the id of the call that asks. The host's options have a "nonce", which tells this question from others of the call.
// Earlier is the desk of the same call id as it was stored, if the agent has used it before.
func (c *Component) Ask(call string, request any, options Options, earlier any) (*Desk, error) {
	texts, err := written(request, options.host(), earlier)
	if err != nil {
		return nil, err
	}
	before := &texts[2]
	if earlier == nil {
		before = nil
	}
	return desk(opened(c.call(desks, "[static]desk.ask", call, texts[0], options.dialect(), texts[1], before)))
}

// ReadDesk returns a desk as it was stored. After a restart, bring it the input "restored".
func (c *Component) ReadDesk(stored any) (*Desk, error) {
	texts, err := written(stored)
	if err != nil {
		return nil, err
	}
	return desk(right(c.call(desks, "[static]desk.read", texts[0])))
}

func desk(value any, err error) (*Desk, error) {
	if err != nil {
		return nil, err
	}
	return &Desk{value.(*handle)}, nil
}

func (d *Desk) get(method string, arguments ...any) (any, error) {
	return d.handle.get(desks, "desk."+method, arguments...)
}

// Begun returns the same question with a saved walk of it that was begun before the person is asked.
func (d *Desk) Begun(saved any) (*Desk, error) {
	texts, err := written(saved)
	if err != nil {
		return nil, err
	}
	said, err := d.get("begun", texts[0])
	return desk(either(said, err, unresumable))
}

// Save returns the desk, to be stored.
func (d *Desk) Save() (json.RawMessage, error) { return raw(d.get("save")) }

// Request returns what a page needs to show the question.
func (d *Desk) Request() (json.RawMessage, error) { return raw(d.get("request")) }

// Closed returns how the question was closed, and under which key. It is nil while the question is open.
func (d *Desk) Closed() (json.RawMessage, error) { return raw(d.get("closed")) }

// Answer returns what the agent gets, without secrets. It is nil while the question is open, and where the agent gets nothing.
func (d *Desk) Answer() (json.RawMessage, error) { return raw(d.get("answer")) }

// SecretsIn returns the secrets in an input as text, to make a seal of them, and whether there are some.
func (d *Desk) SecretsIn(input any) (string, bool, error) {
	texts, err := written(input)
	if err != nil {
		return "", false, err
	}
	said, err := d.get("secrets-in", texts[0])
	secrets, err := right(said, err)
	text, is := secrets.(string)
	return text, is, err
}

// On takes an input, and returns what follows.
func (d *Desk) On(input any) (reaction Reaction, err error) {
	texts, err := written(input)
	if err != nil {
		return reaction, err
	}
	said, err := d.get("on", texts[0])
	text, err := raw(right(said, err))
	return reaction, first(err, func() error { return json.Unmarshal(text, &reaction) })
}
