// Conversations: the state machine of a host that runs tools.

package askuser

import "encoding/json"

// Conversation is the state of a conversation with an agent that calls tools. Store it in one transaction with the results and the messages before you carry
// out anything else.
type Conversation struct{ *handle }

// Effect is something to carry out. Its value depends on its type: "persist_results" and "persist_messages" have the results of calls, and the answers to questions that the
// agent did not wait for.
type Effect struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// ConversationOptions are the options of a conversation, which are stored with it.
type ConversationOptions struct {
	// Unattended says that no person can be asked.
	Unattended bool
	// SeveralOpen says that the later calls of a response run while the question of an earlier one is open.
	SeveralOpen bool
}

// NewConversation returns an idle conversation.
func (c *Component) NewConversation(options ConversationOptions) (*Conversation, error) {
	return conversation(c.call(conversations, "[constructor]conversation", !options.Unattended, options.SeveralOpen))
}

// ReadConversation returns a conversation as it was stored.
func (c *Component) ReadConversation(stored any) (*Conversation, error) {
	texts, err := written(stored)
	if err != nil {
		return nil, err
	}
	return conversation(right(c.call(conversations, "[static]conversation.read", texts[0])))
}

func conversation(value any, err error) (*Conversation, error) {
	if err != nil {
		return nil, err
	}
	return &Conversation{value.(*handle)}, nil
}

func (c *Conversation) get(method string, arguments ...any) (any, error) {
	return c.handle.get(conversations, "conversation."+method, arguments...)
}

// Save returns the conversation, to be stored.
func (c *Conversation) Save() (json.RawMessage, error) { return raw(c.get("save")) }

// State returns the state.
func (c *Conversation) State() (json.RawMessage, error) { return raw(c.get("state")) }

// Open returns the questions that wait for the person: first those that the agent waits for, each the oldest first.
func (c *Conversation) Open() (json.RawMessage, error) { return raw(c.get("open")) }

// Notice is what to tell a client that connects now.
func (c *Conversation) Notice() (json.RawMessage, error) { return raw(c.get("notice")) }

// EndedBy returns the ids of the calls whose questions end with an event, beside the question that it is about: all that the agent waits for, if the event ends the turn. Ask before
// you report "closed" or "stopped", which bring the results of these calls.
func (c *Conversation) EndedBy(event any) ([]string, error) {
	texts, err := written(event)
	if err != nil {
		return nil, err
	}
	text, err := raw(right(c.get("ended-by", texts[0])))
	calls := []string{}
	return calls, first(err, func() error { return json.Unmarshal(text, &calls) })
}

// On takes an event, and returns what to do, in order.
func (c *Conversation) On(event any) ([]Effect, error) {
	texts, err := written(event)
	if err != nil {
		return nil, err
	}
	said, err := c.get("on", texts[0])
	text, err := raw(either(said, err, untaken))
	effects := []Effect{}
	return effects, first(err, func() error { return json.Unmarshal(text, &effects) })
}

func untaken(fault any) error {
	why := fault.(variant)
	if fields, is := why.value.(record); is {
		return &Unexpected{fields.text("code"), fields.text("message"), fields.text("call-id")}
	}
	return &Misuse{why.value.(string)}
}
