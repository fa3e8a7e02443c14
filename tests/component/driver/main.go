// The component in Go, driven by lines of JSON: each says what to do, and is answered with what came of it, as `../driver.py` does in Python.
//
// Call: `driver COMPONENT [MEMORY]`.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"strconv"

	"askuser"
)

// line is what to do: a name and its arguments.
type line []json.RawMessage

// What was opened last. In kept, what is not freed.
var (
	component    *askuser.Component
	walk         *askuser.Walk
	reader       *askuser.Reader
	conversation *askuser.Conversation
	desk         *askuser.Desk
	kept         []*askuser.Walk
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		panic(err)
	}
}

func run(arguments []string) (err error) {
	if component, err = askuser.Load(arguments[0]); err != nil {
		return err
	}
	defer component.Close()
	if len(arguments) > 1 {
		memory, err := strconv.ParseInt(arguments[1], 10, 64)
		if err != nil {
			return err
		}
		component.LimitMemory(memory)
	}
	input, output := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	for input.More() {
		var one line
		if err := input.Decode(&one); err != nil {
			return err
		}
		value, err := one.do()
		if err := output.Encode(said(value, err)); err != nil {
			return err
		}
	}
	return nil
}

func said(value any, err error) map[string]any {
	var rejection *askuser.Rejection
	var refusal *askuser.Refusal
	var unresumable *askuser.Unresumable
	var unexpected *askuser.Unexpected
	var misuse *askuser.Misuse
	switch {
	case errors.As(err, &rejection):
		var result struct{ Problems json.RawMessage }
		if err := json.Unmarshal(rejection.ToolResult, &result); err != nil {
			panic(err)
		}
		return map[string]any{"rejected": result.Problems}
	case errors.As(err, &refusal):
		return map[string]any{"refused": map[string]any{"code": refusal.Code, "message": refusal.Message, "details": refusal.Details}}
	case errors.As(err, &unresumable):
		return map[string]any{"refused": map[string]any{"code": unresumable.Code, "message": unresumable.Message}}
	case errors.As(err, &unexpected):
		return map[string]any{"unexpected": map[string]any{"code": unexpected.Code, "message": unexpected.Message, "call_id": unexpected.CallID}}
	case errors.As(err, &misuse):
		return map[string]any{"misuse": misuse.Message}
	case err != nil:
		return map[string]any{"trap": err.Error()}
	}
	return map[string]any{"ok": value}
}

func (l line) do() (any, error) {
	switch name := l.word(0); name {
	case "open", "resume", "stream", "continued":
		if err := l.open(name); err != nil {
			return nil, err
		}
		return walk.Form()
	case "end":
		return reader.End()
	case "broken":
		return broken()
	case "keep":
		kept = append(kept, walk)
		return nil, nil
	case "collect":
		// Go frees when it likes; a test says when.
		runtime.GC()
		return nil, nil
	case "conversation", "stored_conversation", "on", "ended_by", "stored", "state", "notice", "waiting":
		return l.converse(name)
	case "desk_ask", "desk_read", "desk_begun", "desk_save", "desk_request", "desk_closed", "desk_answer", "desk_secrets", "desk_on":
		return l.atDesk(name)
	case "tool_definitions", "dialects", "register_dialect", "detect_dialect", "permission", "mend_records", "read_records", "records_markdown":
		return l.ask(name)
	case "form", "step", "outcome", "consultation", "template", "approvals", "records", "turn", "drafts", "save", "response",
		"is_over", "idempotency_key", "result_text", "page", "to_confirm":
		return l.get(name)
	default:
		return nil, l.act(name)
	}
}

func (l line) open(name string) (err error) {
	var next *askuser.Walk
	switch name {
	case "open":
		next, err = component.Open(l.text(1), l.options(2))
	case "resume":
		options := l.options(3)
		l.read(5, &options.Secrets)
		next, err = component.Resume(l.text(1), l.text(2), options)
	case "continued":
		next, err = walk.Continued(l.text(1))
	case "stream":
		if reader, err = component.Stream(l.options(1)); err == nil {
			next, err = reader.Walk()
		}
	}
	if err == nil {
		walk = next
	}
	return err
}

// broken gives texts that are not UTF-8, and returns what is said of each. A character that comes in two pieces is fine.
func broken() (any, error) {
	_, opened := component.Open(json.RawMessage("\"\xff\""), askuser.Options{})
	_, permitted := component.Permission("\xc3(", "run", askuser.Options{})
	stream, err := component.Stream(askuser.Options{})
	if err != nil {
		return nil, err
	}
	written := []error{stream.Write("{\"question\": \"Gr\xc3"), stream.Write("\xb6\xc3\x9fer?\", \"answer_type\": \"boolean\"}"), stream.Write("\xff"), stream.Write("\xe2\x82")}
	_, ended := stream.End()
	said := []string{}
	for _, err := range append([]error{opened, permitted, walk.Typed("a\x80"), walk.Reply("\xf0\x9f\x98")}, append(written, ended)...) {
		if err == nil {
			said = append(said, "")
		} else {
			said = append(said, err.Error())
		}
	}
	return said, nil
}

func (l line) converse(name string) (any, error) {
	switch name {
	case "on":
		return conversation.On(l.text(1))
	case "ended_by":
		return conversation.EndedBy(l.text(1))
	case "state":
		return conversation.State()
	case "notice":
		return conversation.Notice()
	case "waiting":
		return conversation.Open()
	case "conversation", "stored_conversation":
		if err := l.begin(name); err != nil {
			return nil, err
		}
	}
	return conversation.Save()
}

func (l line) begin(name string) (err error) {
	var next *askuser.Conversation
	if name == "conversation" {
		next, err = component.NewConversation(askuser.ConversationOptions{Unattended: string(l[1]) != "true", SeveralOpen: len(l) > 2 && string(l[2]) == "true"})
	} else {
		next, err = component.ReadConversation(l.text(1))
	}
	if err == nil {
		conversation = next
	}
	return err
}

// atDesk gives the stored desk where another one is made.
func (l line) atDesk(name string) (any, error) {
	next, err := desk, error(nil)
	switch name {
	case "desk_ask":
		var earlier any
		l.read(5, &earlier)
		next, err = component.Ask(l.word(1), l.text(2), l.options(3), earlier)
	case "desk_read":
		next, err = component.ReadDesk(l.text(1))
	case "desk_begun":
		next, err = desk.Begun(l.text(1))
	case "desk_request":
		return desk.Request()
	case "desk_closed":
		return nullable(desk.Closed())
	case "desk_answer":
		return nullable(desk.Answer())
	case "desk_secrets":
		secrets, is, err := desk.SecretsIn(l.text(1))
		if !is {
			return nil, err
		}
		return secrets, err
	case "desk_on":
		return desk.On(l.text(1))
	}
	if err != nil {
		return nil, err
	}
	desk = next
	return desk.Save()
}

// nullable gives nil without a type for JSON that is not there.
func nullable(text json.RawMessage, err error) (any, error) {
	if text == nil {
		return nil, err
	}
	return text, err
}

func (l line) ask(name string) (any, error) {
	switch name {
	case "tool_definitions":
		return component.ToolDefinitions(l.word(1), len(l) > 2 && string(l[2]) == "true")
	case "dialects":
		return component.Dialects()
	case "register_dialect":
		return component.RegisterDialect(l[1])
	case "detect_dialect":
		return component.DetectDialect(l.text(1), askuser.Options{Host: l[2]})
	case "permission":
		return component.Permission(l.word(1), l.word(2), askuser.Options{Host: l[3]})
	case "mend_records":
		return component.MendRecords(l[1])
	case "records_markdown":
		return component.RecordsMarkdown(l[1])
	default:
		var places []uint32
		l.read(2, &places)
		return component.ReadRecords(l[1], places...)
	}
}

func (l line) get(name string) (any, error) {
	switch name {
	case "step":
		step, err := walk.Step()
		return step.JSON, err
	case "outcome", "result_text":
		outcome, err := walk.Outcome()
		if outcome == nil {
			return nil, err
		}
		if name == "outcome" {
			return outcome.JSON, err
		}
		return string(outcome.Result), err
	case "records":
		return walk.Records(0)
	case "is_over":
		return walk.IsOver()
	case "idempotency_key":
		return walk.IdempotencyKey()
	case "page":
		return walk.Page(l.answers())
	case "to_confirm":
		return walk.ToConfirm(l.answers())
	}
	texts := map[string]func() (json.RawMessage, error){
		"form": walk.Form, "consultation": walk.Consultation, "template": walk.Template, "approvals": walk.Approvals, "turn": walk.Turn,
		"drafts": walk.Drafts, "save": walk.Save, "response": walk.Response,
	}
	text, err := texts[name]()
	if text == nil {
		return nil, err
	}
	return text, err
}

func (l line) act(name string) error {
	switch name {
	case "write":
		return reader.Write(l.word(1))
	case "answer":
		answer := askuser.Answer{Value: l[1], Other: l.perhaps(2), Note: l.perhaps(3)}
		l.read(4, &answer.Remember)
		return walk.AnswerWith(answer)
	case "answer_all":
		return walk.AnswerAll(l.answers())
	case "answers":
		return walk.Answers(l[1])
	case "check":
		return walk.Check(l[1], l.perhaps(2))
	case "typed":
		return walk.Typed(l.word(1))
	case "reply":
		return walk.Reply(l.word(1))
	case "change":
		return walk.Change(l.word(1))
	case "assistant":
		return walk.Assistant(l[1], l.word(2))
	case "back":
		return walk.Back()
	case "end_turn":
		return walk.EndTurn()
	case "submit":
		return walk.Submit()
	}
	panic("nobody knows " + name)
}

func (l line) options(place int) (options askuser.Options) {
	l.read(place, &options.Dialect)
	options.Host = l[place+1]
	return options
}

func (l line) answers() map[string]any {
	var raw map[string]json.RawMessage
	l.read(1, &raw)
	answers := map[string]any{}
	for question, answer := range raw {
		answers[question] = answer
	}
	return answers
}

// text is JSON text: a text as it is, or a value.
func (l line) text(place int) json.RawMessage {
	var text string
	if json.Unmarshal(l[place], &text) == nil && len(l[place]) > 0 && l[place][0] == '"' {
		return json.RawMessage(text)
	}
	return l[place]
}

func (l line) word(place int) (word string) {
	l.read(place, &word)
	return word
}

func (l line) perhaps(place int) (word *string) {
	l.read(place, &word)
	return word
}

// read reads an argument, if it is there.
func (l line) read(place int, into any) {
	if place >= len(l) {
		return
	}
	if err := json.Unmarshal(l[place], into); err != nil {
		panic(err)
	}
}
