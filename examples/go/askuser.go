// Package askuser asks people the questions of AI agents: the component of ask-user in Go, run by Wasmtime.
//
// Values of the agent are JSON. Where a function takes a value, a json.RawMessage is taken as it is, with the order of its keys; anything
// else is written as encoding/json writes it.
package askuser

import (
	"bytes"
	"encoding/json"
	"errors"
)

const (
	forms         = "ask-user:core/forms@0.1.0"
	conversations = "ask-user:core/conversations@0.1.0"
	desks         = "ask-user:core/desks@0.1.0"
)

// Rejection says that a request is not a form. Give ToolResult to the model in place of a result.
type Rejection struct {
	Message    string
	ToolResult json.RawMessage
}

// Refusal says that an action was refused. The walk is unchanged.
type Refusal struct {
	Code, Message string
	// Details lists what is wrong, if there is more to say.
	Details json.RawMessage
}

// Unresumable says that a saved walk could not be resumed.
type Unresumable struct{ Code, Message string }

// Unexpected says that an event cannot happen in this state of a conversation. The conversation is unchanged.
type Unexpected struct{ Code, Message, CallID string }

// Misuse says that the host's own code gave something that does not exist, or is not what it should be.
type Misuse struct{ Message string }

func (e *Rejection) Error() string   { return e.Message }
func (e *Refusal) Error() string     { return e.Message }
func (e *Unresumable) Error() string { return e.Message }
func (e *Unexpected) Error() string  { return e.Message }
func (e *Misuse) Error() string      { return e.Message }

// Options say how a request is read.
type Options struct {
	// Dialect is the format of the request. It is detected if this is empty.
	Dialect string
	// Host has the host's options, such as {"tool_call_id": "call_1"}.
	Host any
	// Secrets are the secret answers by question id, if the host has them. Only Resume needs them.
	Secrets map[string]string
}

// Open reads a request and begins to walk.
func (c *Component) Open(request any, options Options) (*Walk, error) {
	texts, err := written(request, options.host())
	if err != nil {
		return nil, err
	}
	return walk(opened(c.call(forms, "open", texts[0], options.dialect(), texts[1])))
}

// Resume resumes a saved walk, with the same request and options.
func (c *Component) Resume(request, saved any, options Options) (*Walk, error) {
	texts, err := written(request, saved, options.host(), options.Secrets)
	if err != nil {
		return nil, err
	}
	secrets := &texts[3]
	if options.Secrets == nil {
		secrets = nil
	}
	return walk(opened(c.call(forms, "resume", texts[0], texts[1], options.dialect(), texts[2], secrets)))
}

// Stream begins to read a request that is still being written.
func (c *Component) Stream(options Options) (*Reader, error) {
	texts, err := written(options.host())
	if err != nil {
		return nil, err
	}
	reader, err := opened(c.call(forms, "stream", options.dialect(), texts[0]))
	if err != nil {
		return nil, err
	}
	return &Reader{handle: reader.(*handle)}, nil
}

// DetectDialect returns the name of the dialect whose shape a request has.
func (c *Component) DetectDialect(request any, options Options) (string, error) {
	texts, err := written(request, options.host())
	if err != nil {
		return "", err
	}
	found, err := opened(c.call(forms, "detect-dialect", texts[0], texts[1]))
	if err != nil {
		return "", err
	}
	return found.(string), nil
}

// ToolDefinitions returns the definitions of a dialect's tools, for a model. An agent without a user has none.
func (c *Component) ToolDefinitions(dialect string, subAgent bool) (json.RawMessage, error) {
	return raw(c.call(forms, "tool-definitions", dialect, subAgent))
}

// Dialects returns the names of all dialects.
func (c *Component) Dialects() ([]string, error) {
	return texts(c.call(forms, "dialects"))
}

// RegisterDialect declares a dialect of the host's own, and returns its name.
func (c *Component) RegisterDialect(declaration any) (string, error) {
	name, err := c.recorded("register-dialect", declaration)
	return string(name), err
}

// Permission says whether a tool may run, or may deliver its result. The kind is "run", "deliver" or "tool".
func (c *Component) Permission(tool, kind string, options Options) (string, error) {
	if kind != "run" && kind != "deliver" && kind != "tool" {
		return "", &Misuse{`Give the kind as "run", "deliver" or "tool".`}
	}
	written, err := written(options.host())
	if err != nil {
		return "", err
	}
	said, err := raw(right(c.call(forms, "permission", tool, enum(kind), written[0])))
	var permission string
	return permission, first(err, func() error { return json.Unmarshal(said, &permission) })
}

// MendRecords repairs the records of one turn: every request has its response.
func (c *Component) MendRecords(records any) (json.RawMessage, error) {
	return c.recorded("mend-records", records)
}

// ReadRecords reads the stored lines of many turns, and repairs each turn. The places are those of the lines that begin a turn.
func (c *Component) ReadRecords(lines any, places ...uint32) (json.RawMessage, error) {
	turns := list{}
	for _, place := range places {
		turns = append(turns, place)
	}
	return c.recorded("read-records", lines, turns)
}

// RecordsMarkdown writes records for people to read.
func (c *Component) RecordsMarkdown(records any) (string, error) {
	said, err := c.recorded("records-markdown", records)
	return string(said), err
}

func (c *Component) recorded(function string, records any, more ...any) (json.RawMessage, error) {
	texts, err := written(records)
	if err != nil {
		return nil, err
	}
	return raw(right(c.call(forms, function, append([]any{texts[0]}, more...)...)))
}

func (o Options) dialect() *string {
	if o.Dialect == "" {
		return nil
	}
	return &o.Dialect
}

func (o Options) host() any {
	if o.Host == nil {
		return json.RawMessage("{}")
	}
	return o.Host
}

// written writes values as JSON texts.
func written(values ...any) ([]string, error) {
	texts := make([]string, len(values))
	for i, value := range values {
		if raw, is := value.(json.RawMessage); is {
			texts[i] = string(raw)
			continue
		}
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(value); err != nil {
			return nil, err
		}
		texts[i] = text.String()
	}
	return texts, nil
}

func first(err error, then func() error) error {
	if err != nil {
		return err
	}
	return then()
}

// raw returns JSON that the component returned, or nil for none.
func raw(value any, err error) (json.RawMessage, error) {
	if err != nil || value == nil {
		return nil, err
	}
	return json.RawMessage(value.(string)), nil
}

func texts(value any, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	found := []string{}
	for _, text := range value.(list) {
		found = append(found, text.(string))
	}
	return found, nil
}

// opened returns what a function returned, or why there is no walk.
func opened(value any, err error) (any, error) {
	return either(value, err, func(fault any) error {
		switch fault := fault.(variant); fault.tag {
		case "rejection":
			return rejected(fault.value.(string))
		case "unresumable":
			return unresumable(fault.value)
		default:
			return &Misuse{fault.value.(string)}
		}
	})
}

// right does the same where the fault is a text.
func right(value any, err error) (any, error) {
	return either(value, err, func(fault any) error { return &Misuse{fault.(string)} })
}

func either(value any, err error, failed func(fault any) error) (any, error) {
	if err != nil {
		return nil, err
	}
	said, is := value.(result)
	if !is {
		return nil, errors.New("the component has another interface")
	}
	if said.ok {
		return said.value, nil
	}
	return nil, failed(said.value)
}

func rejected(toolResult string) error {
	rejection := &Rejection{ToolResult: json.RawMessage(toolResult)}
	if err := json.Unmarshal(rejection.ToolResult, &struct{ Message *string }{&rejection.Message}); err != nil {
		return err
	}
	return rejection
}

func unresumable(fault any) error {
	fields := fault.(record)
	return &Unresumable{fields.text("code"), fields.text("message")}
}

func (r record) text(name string) string {
	for _, field := range r {
		if text, is := field.value.(string); is && field.name == name {
			return text
		}
	}
	return ""
}
