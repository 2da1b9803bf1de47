// The official SDK of Go. It has no agent, so this asks the model itself, as one would with it.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type message struct {
	Role      string     `json:"role"`
	Content   any        `json:"content"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type withSecret struct{}

func (withSecret) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SECRET"))
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil)
	transport := &mcp.StreamableClientTransport{
		Endpoint:   os.Getenv("MCP_URL"),
		HTTPClient: &http.Client{Transport: withSecret{}},
	}
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	var tools []map[string]any
	for _, tool := range listed.Tools {
		function := map[string]any{"name": tool.Name, "description": tool.Description, "parameters": tool.InputSchema}
		tools = append(tools, map[string]any{"type": "function", "function": function})
	}
	cases, err := strconv.Atoi(os.Getenv("CASES"))
	if err != nil {
		return err
	}
	for number := range cases {
		messages := []message{{Role: "user", Content: fmt.Sprintf("case %d", number)}}
		answer, err := ask(tools, messages)
		if err != nil {
			return err
		}
		messages = append(messages, answer)
		for _, call := range answer.ToolCalls {
			result, err := session.CallTool(ctx, &mcp.CallToolParams{
				Name:      call.Function.Name,
				Arguments: json.RawMessage(call.Function.Arguments),
			})
			if err != nil {
				return err
			}
			messages = append(messages, message{Role: "tool", Content: result.Content})
		}
		if _, err := ask(tools, messages); err != nil {
			return err
		}
	}
	return nil
}

func ask(tools []map[string]any, messages []message) (message, error) {
	body, err := json.Marshal(map[string]any{"model": "gpt-5", "messages": messages, "tools": tools})
	if err != nil {
		return message{}, err
	}
	url := os.Getenv("MODEL_URL") + "/chat/completions"
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return message{}, err
	}
	defer response.Body.Close()
	var answer struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return message{}, err
	}
	if len(answer.Choices) == 0 {
		return message{}, fmt.Errorf("the model answered with %s", response.Status)
	}
	return answer.Choices[0].Message, nil
}
