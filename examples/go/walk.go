// Walks, and requests that are still being written.

package askuser

import (
	"encoding/json"
	"unicode/utf8"
)

// Walk is one person's progress through a form.
type Walk struct{ *handle }

// Step is what to show now. JSON has all its fields.
type Step struct {
	// State is "asking", "review", "checking", "waiting" or "done".
	State    string    `json:"state"`
	Question *Question `json:"question"`
	// Back says whether the person can go back.
	Back bool            `json:"back"`
	JSON json.RawMessage `json:"-"`
}

// Question is what is asked.
type Question struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Type    string   `json:"type"`
	Options []Option `json:"options"`
}

// Option is one of the answers to choose from.
type Option struct {
	Label string          `json:"label"`
	Value json.RawMessage `json:"value"`
}

// Outcome is how a walk ended. JSON has all its fields.
type Outcome struct {
	// Ends is "completed", "replied", "turn_ended" or "failed".
	Ends string `json:"ends"`
	// Result is for the agent, with every digit. It is nil if the agent gets none.
	Result json.RawMessage `json:"-"`
	// Secrets are the secret answers by question id. Only the host may see them.
	Secrets map[string]string `json:"secrets"`
	JSON    json.RawMessage   `json:"-"`
}

// Answer is an answer with everything that can stand beside it.
type Answer struct {
	// Value is the answer; nil leaves an optional question empty.
	Value any
	// Other is a text in place of an option. Value is then nil, or the list of the options that are selected as well.
	Other *string
	// Note is a note beside the answer.
	Note *string
	// Remember says whether to remember the answer for the rest of the turn.
	Remember bool
}

func walk(value any, err error) (*Walk, error) {
	if err != nil {
		return nil, err
	}
	return &Walk{value.(*handle)}, nil
}

func (h *handle) get(of, method string, arguments ...any) (any, error) {
	return h.component.call(of, "[method]"+method, append([]any{h}, arguments...)...)
}

func (w *Walk) get(method string, arguments ...any) (any, error) {
	return w.handle.get(forms, "walk."+method, arguments...)
}

// Form describes the form: its dialect, the number of its questions, its warnings.
func (w *Walk) Form() (json.RawMessage, error) { return raw(w.get("form")) }

// Step says what to show now.
func (w *Walk) Step() (*Step, error) {
	said, err := raw(w.get("step"))
	step := Step{JSON: said}
	return &step, first(err, func() error { return json.Unmarshal(said, &step) })
}

// Outcome says how the walk ended. It is nil before that.
func (w *Walk) Outcome() (*Outcome, error) {
	said, err := raw(w.get("outcome"))
	if err != nil || said == nil {
		return nil, err
	}
	outcome := Outcome{JSON: said}
	if err := json.Unmarshal(said, &outcome); err != nil {
		return nil, err
	}
	outcome.Result, err = raw(w.get("result-text"))
	return &outcome, err
}

// IsOver says whether the walk has ended.
func (w *Walk) IsOver() (bool, error) {
	over, err := w.get("is-over")
	return over == true, err
}

// Records is the audit trail from a line on. It only grows.
func (w *Walk) Records(start uint32) (json.RawMessage, error) { return raw(w.get("records", start)) }

// Turn is what the next form of the same turn begins with: the host's option "turn".
func (w *Walk) Turn() (json.RawMessage, error) { return raw(w.get("turn")) }

// Drafts are for the next form of the same turn: the host's option "drafts".
func (w *Walk) Drafts() (json.RawMessage, error) { return raw(w.get("drafts")) }

// Consultation says how to ask the assistant. It is nil if no assistant is asked.
func (w *Walk) Consultation() (json.RawMessage, error) { return raw(w.get("consultation")) }

// Template is a value to start from at a question with a JSON Schema.
func (w *Walk) Template() (json.RawMessage, error) { return raw(w.get("template")) }

// Approvals are the tool calls that wait for approval.
func (w *Walk) Approvals() (json.RawMessage, error) { return raw(w.get("approvals")) }

// Save returns the walk so far, without its secrets. It can be stored anywhere.
func (w *Walk) Save() (json.RawMessage, error) { return raw(w.get("save")) }

// Response is what a page sends to a host that reads it again. It has the secrets, and must not be stored or logged.
func (w *Walk) Response() (json.RawMessage, error) { return raw(w.get("response")) }

// IdempotencyKey is the same however often this ending is sent.
func (w *Walk) IdempotencyKey() (string, error) {
	key, err := raw(w.get("idempotency-key"))
	return string(key), err
}

// Continued returns this walk as it went on in a page, by the page's response.
func (w *Walk) Continued(response any) (*Walk, error) {
	texts, err := written(response)
	if err != nil {
		return nil, err
	}
	said, err := w.get("continued", texts[0])
	return walk(either(said, err, unresumable))
}

// Answer answers the open question.
func (w *Walk) Answer(value any) error { return w.AnswerWith(Answer{Value: value}) }

// AnswerWith answers the open question, with a note or a text in place of an option.
func (w *Walk) AnswerWith(answer Answer) error {
	texts, err := written(answer.Value)
	if err != nil {
		return err
	}
	fields := record{{"value", texts[0]}, {"other", answer.Other}, {"note", answer.Note}, {"remember", answer.Remember}}
	return w.act("answer", fields)
}

// Typed answers with what was typed: JSON for a schema, a number for a number, the text itself elsewhere.
func (w *Walk) Typed(text string) error { return w.act("typed", text) }

// Back goes back to the question before.
func (w *Walk) Back() error { return w.act("back", nil) }

// Reply cancels the form with a message, or without one if it is empty. The turn goes on.
func (w *Walk) Reply(text string) error {
	if text == "" {
		return w.act("reply", (*string)(nil))
	}
	return w.act("reply", &text)
}

// EndTurn ends the turn.
func (w *Walk) EndTurn() error { return w.act("end-turn", nil) }

// Submit sends the answers from the review.
func (w *Walk) Submit() error { return w.act("submit", nil) }

// Change changes an answer from the review.
func (w *Walk) Change(question string) error { return w.act("change", question) }

// Assistant brings the verdict of the assistant that is asked on a record, that of the consultation. Nil says that there is no verdict.
func (w *Walk) Assistant(verdict any, about string) error {
	texts, err := written(verdict)
	if err != nil {
		return err
	}
	return w.act("assistant", record{{"id", about}, {"said", texts[0]}})
}

// Check says whether the open question takes this answer. Nothing changes.
func (w *Walk) Check(value any, other *string) error {
	texts, err := written(value)
	return first(err, func() error { return refused(w.get("check", texts[0], other)) })
}

// Answers answers the form with plain values by question: all of them, or none.
func (w *Walk) Answers(answers any) error {
	texts, err := written(answers)
	return first(err, func() error { return refused(w.get("answers", texts[0])) })
}

// AnswerAll answers several questions by id: all of them, or none.
func (w *Walk) AnswerAll(answers map[string]any) error {
	pairs, err := byID(answers)
	return first(err, func() error { return refused(w.get("answer-all", pairs)) })
}

// Page returns the questions to show on one page, with the answers that it contains now.
func (w *Walk) Page(answers map[string]any) (json.RawMessage, error) {
	pairs, err := byID(answers)
	if err != nil {
		return nil, err
	}
	return raw(w.get("page", pairs))
}

// ToConfirm returns the ids of the questions whose answers cannot be undone.
func (w *Walk) ToConfirm(answers map[string]any) ([]string, error) {
	pairs, err := byID(answers)
	if err != nil {
		return nil, err
	}
	return texts(w.get("to-confirm", pairs))
}

func byID(answers map[string]any) (list, error) {
	pairs := list{}
	for question, answer := range answers {
		texts, err := written(answer)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, tuple{question, texts[0]})
	}
	return pairs, nil
}

func (w *Walk) act(action string, value any) error {
	return refused(w.get("act", variant{action, value}))
}

func refused(value any, err error) error {
	_, err = either(value, err, func(fault any) error {
		fields := fault.(record)
		refusal := &Refusal{Code: fields.text("code"), Message: fields.text("message")}
		if details := fields.text("details"); details != "" {
			refusal.Details = json.RawMessage(details)
		}
		return refusal
	})
	return err
}

// Reader reads a request that is still being written.
type Reader struct {
	*handle
	// The first bytes of a character whose others have not come yet.
	half string
}

func (r *Reader) get(method string, arguments ...any) (any, error) {
	return r.handle.get(forms, "reader."+method, arguments...)
}

// Walk is over the questions that are complete. The first of them can be answered at once.
func (r *Reader) Walk() (*Walk, error) { return walk(r.get("walk")) }

// Write takes in the text that comes next. A piece may end within a character.
func (r *Reader) Write(piece string) error {
	piece = r.half + piece
	whole := len(piece)
	for cut := 1; cut < utf8.UTFMax && cut <= len(piece); cut++ {
		if last := piece[len(piece)-cut:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRuneInString(last) {
				whole -= cut
			}
			break
		}
	}
	_, err := right(r.get("write", piece[:whole]))
	if err == nil {
		r.half = piece[whole:]
	}
	return err
}

// End reads the whole request. It says whether the walk began anew, because the end of the request contradicts its beginning.
func (r *Reader) End() (bool, error) {
	if r.half != "" {
		return false, &Misuse{"The text ends within a character."}
	}
	said, err := r.get("end")
	isAnew, err := either(said, err, func(fault any) error { return rejected(fault.(string)) })
	return isAnew == true, err
}
