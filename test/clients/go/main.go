// Command main uses the client that oapi-codegen makes of the contract.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"

	"loregraph.example/client/loregraph"
)

const (
	graph   = "client-go"
	effects = "skill:hooks/effects"
)

func main() {
	client, err := connect(os.Getenv("SECRET"))
	if err == nil {
		err = tell(context.Background(), client)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func connect(secret string) (*loregraph.ClientWithResponses, error) {
	bearer := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+secret)
		return nil
	}
	return loregraph.NewClientWithResponses(os.Getenv("BASE_URL"), loregraph.WithRequestEditorFn(bearer))
}

func tell(ctx context.Context, client *loregraph.ClientWithResponses) error {
	learned := loregraph.Payload{"advice": "Keep effects small"}
	first := event(effects, learned)
	recorded, err := client.RecordEventWithResponse(ctx, nil, first)
	if err != nil {
		return err
	}
	if recorded.JSON201 == nil || recorded.JSON201.Status != loregraph.Recorded {
		return fmt.Errorf("record: %s", recorded.Body)
	}
	again, err := client.RecordEventWithResponse(ctx, nil, first)
	if err != nil {
		return err
	}
	if again.JSON200 == nil || again.JSON200.Status != loregraph.Duplicate {
		return fmt.Errorf("record again: %s", again.Body)
	}
	targets := loregraph.LinkTargets{effects}
	second := event("skill:state_machines", loregraph.Payload{"data": "They help"})
	second.RelatedTo = &targets
	third := event("error:stale_closure", loregraph.Payload{"fix": "List what the effect reads"})
	third.Extends = &targets
	for _, more := range []loregraph.Event{second, third} {
		if answer, err := client.RecordEventWithResponse(ctx, nil, more); err != nil || answer.JSON201 == nil {
			return fmt.Errorf("record more: %w", err)
		}
	}
	if err := read(ctx, client); err != nil {
		return err
	}
	memory, err := client.GetMemoryWithResponse(ctx, graph, recorded.JSON201.EventId, nil)
	if err != nil {
		return err
	}
	if memory.JSON200 == nil || memory.JSON200.TimesSeen != 2 || !reflect.DeepEqual(memory.JSON200.Payload, learned) {
		return fmt.Errorf("memory: %s", memory.Body)
	}
	own, err := client.GetOwnKeyWithResponse(ctx)
	if err != nil {
		return err
	}
	if own.JSON200 == nil || own.JSON200.KeyId != "root" || len(own.JSON200.Scopes) != 3 {
		return fmt.Errorf("own key: %s", own.Body)
	}
	if err := transfer(ctx, client); err != nil {
		return err
	}
	return refuse(ctx, client)
}

func event(contextID string, payload loregraph.Payload) loregraph.Event {
	return loregraph.Event{GraphId: graph, EventKind: loregraph.Fact, ContextId: &contextID, Payload: payload}
}

func read(ctx context.Context, client *loregraph.ClientWithResponses) error {
	var names []string
	one := 1
	for page := 0; ; page++ {
		list, err := client.ListContextsWithResponse(ctx, graph, "skill", &loregraph.ListContextsParams{Page: &page, PageSize: &one})
		if err != nil {
			return err
		}
		if list.JSON200 == nil {
			return fmt.Errorf("list: %s", list.Body)
		}
		if len(list.JSON200.Contexts) == 0 {
			break
		}
		names = append(names, list.JSON200.Contexts[0].ContextName)
	}
	if !reflect.DeepEqual(names, []string{"hooks/effects", "state_machines"}) {
		return fmt.Errorf("pages: %v", names)
	}
	q := "state mach"
	search, err := client.BrowseContextsWithResponse(ctx, graph, &loregraph.BrowseContextsParams{Q: &q})
	if err != nil {
		return err
	}
	if search.JSON200 == nil || (*search.JSON200.Contexts)[0].ContextId != "skill:state_machines" {
		return fmt.Errorf("search: %s", search.Body)
	}
	links, err := client.ListRelationshipsWithResponse(ctx, graph, "skill", "hooks/effects", nil)
	if err != nil {
		return err
	}
	if links.JSON200 == nil || links.JSON200.Total != 2 || links.JSON200.Relationships[0].Kind != loregraph.Extension {
		return fmt.Errorf("relationships: %s", links.Body)
	}
	explain := true
	question := loregraph.InsightRequest{Task: "What do we do about a stale closure in an effect?", GraphId: graph, Explain: &explain}
	insight, err := client.GenerateInsightWithResponse(ctx, question)
	if err != nil {
		return err
	}
	if insight.JSON200 == nil || (*insight.JSON200.Evidence)[0].ContextId != "error:stale_closure" {
		return fmt.Errorf("insight: %s", insight.Body)
	}
	return nil
}

func transfer(ctx context.Context, client *loregraph.ClientWithResponses) error {
	// An export is a stream; ExportGraphWithResponse would take it for one JSON document.
	exported, err := client.ExportGraph(ctx, graph, nil)
	if err != nil {
		return err
	}
	defer exported.Body.Close()
	imported, err := client.ImportGraphWithBodyWithResponse(ctx, graph+"-copy", "application/x-ndjson", exported.Body)
	if err != nil {
		return err
	}
	if imported.JSON201 == nil || imported.JSON201.Memories != 3 {
		return fmt.Errorf("import: %s", imported.Body)
	}
	return nil
}

func refuse(ctx context.Context, client *loregraph.ClientWithResponses) error {
	stranger, err := connect("wrong")
	if err != nil {
		return err
	}
	wrong, err := stranger.ListGraphsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	if problem := wrong.ApplicationproblemJSON401; problem == nil || problem.Code != "unauthorized" {
		return fmt.Errorf("401: %s", wrong.Body)
	}
	missing, err := client.BrowseContextsWithResponse(ctx, "nowhere", nil)
	if err != nil {
		return err
	}
	if problem := missing.ApplicationproblemJSON404; problem == nil || problem.Code != "graph_not_found" {
		return fmt.Errorf("404: %s", missing.Body)
	}
	return nil
}
