// A host in a terminal: asks what an agent wants to know, and prints its result. "b" goes back, "r" replies, "q" ends the turn.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"askuser"
)

const request = `{"questions": [
	{"id": "apply", "text": "Apply the migration?", "answer_type": "boolean"},
	{"id": "environment", "text": "Which environment?", "answer_type": "select", "options": ["staging", "production"],
		"when": {"question_id": "apply", "equals": true}},
	{"id": "limits", "text": "With which limits (JSON)?", "answer_type": "schema",
		"schema": {"type": "object", "properties": {"cpu": {"type": "integer"}}, "required": ["cpu"]},
		"when": {"question_id": "apply", "equals": true}}
]}`

var lines = bufio.NewScanner(os.Stdin)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: ask COMPONENT")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	component, err := askuser.Load(path)
	if err != nil {
		return err
	}
	defer component.Close()
	options := askuser.Options{Host: map[string]string{"tool_call_id": "call_1"}}
	walk, err := component.Open(json.RawMessage(request), options)
	if err != nil {
		return err
	}
	for {
		outcome, err := walk.Outcome()
		if err != nil {
			return err
		}
		if outcome != nil {
			fmt.Println(string(outcome.Result))
			return nil
		}
		step, err := walk.Step()
		if err != nil {
			return err
		}
		var refusal *askuser.Refusal
		if err := ask(walk, step.Question); errors.As(err, &refusal) {
			fmt.Println(refusal.Message)
		} else if err != nil {
			return err
		}
	}
}

func ask(walk *askuser.Walk, question *askuser.Question) error {
	if question == nil {
		// A review of all answers.
		return walk.Submit()
	}
	fmt.Println(question.Text)
	for place, option := range question.Options {
		fmt.Printf("  %d  %s\n", place+1, option.Label)
	}
	typed, err := read("> ")
	if err != nil {
		return err
	}
	switch typed {
	case "b":
		return walk.Back()
	case "r":
		reply, err := read("Your reply> ")
		if err != nil {
			return err
		}
		return walk.Reply(reply)
	case "q":
		return walk.EndTurn()
	}
	switch question.Type {
	case "boolean":
		if typed == "y" || typed == "n" {
			return walk.Answer(typed == "y")
		}
		return walk.Answer(typed)
	case "select", "multi_select":
		chosen := []json.RawMessage{}
		for _, word := range strings.Fields(typed) {
			if place, err := strconv.Atoi(word); err == nil && place > 0 && place <= len(question.Options) {
				chosen = append(chosen, question.Options[place-1].Value)
			}
		}
		if question.Type == "multi_select" {
			return walk.Answer(chosen)
		}
		if len(chosen) == 1 {
			return walk.Answer(chosen[0])
		}
		return walk.Answer(typed)
	default:
		return walk.Typed(typed)
	}
}

func read(prompt string) (string, error) {
	fmt.Print(prompt)
	if !lines.Scan() {
		if err := lines.Err(); err != nil {
			return "", err
		}
		return "", errors.New("nobody answered")
	}
	return lines.Text(), nil
}
