// Written by `npm run generate` from openapi/openapi.yaml. Do not edit.

export interface paths {
    "/v1/contexts/{graph_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        /**
         * List context types, or search contexts
         * @description Without `q`: the context types of the graph, by name, each with its number of contexts (`context_types`).
         *
         *     With `q`: the contexts whose type or name holds every term of the query (`contexts`). The query is folded like
         *     a name and parted into terms at white space and `_ - . : /`. First comes the context whose id is the query, then
         *     those whose name is the query, then those whose name starts with it, then those in which every term starts a word, then the rest; equals are in
         *     order of `context_id`.
         */
        get: operations["browseContexts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contexts/{graph_id}/{context_type}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
            };
            cookie?: never;
        };
        /**
         * List the contexts of one type
         * @description The contexts of the type, by name. A type that no context has is an empty list.
         */
        get: operations["listContexts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contexts/{graph_id}/{context_type}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        /**
         * Read one context and its memories
         * @description The context with its counts and dates, and its memories, the newest first, a page at a time. A context that is
         *     only the target of a link exists, with no memories.
         */
        get: operations["getContext"];
        put?: never;
        post?: never;
        /**
         * Erase the memories of one context
         * @description Erases the memories of the context, the links that they state and the links that name one of them, for good: they
         *     are gone from memory, from every file of the service and from exports, and what they had replaced or confirmed is
         *     reckoned anew. The context goes too, unless a memory elsewhere links to it: then it stays, with no memories. With
         *     `dry_run=true` nothing is erased and the answer says what would be.
         */
        delete: operations["deleteContext"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contexts/{graph_id}/{context_type}/{name}/relationships": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        /**
         * List the relationships of one context
         * @description All links of the context, in both directions unless `direction` says otherwise: outgoing before incoming, then
         *     by kind (reinforcement, extension, contradiction, related-to), then by `context_id`. A link to a single memory
         *     counts as a link to that memory's context. The list is not paged.
         */
        get: operations["listRelationships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contexts/{graph_id}/{context_type}/{name}/neighbourhood": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        /**
         * Read what lies around one context
         * @description The contexts that can be reached from this one over at most `depth` links, whichever way the links point, and the
         *     links among them, in one answer. The context itself comes first, at distance 0. Then the nearest come first; of
         *     those at the same distance, the ones that more memories link with what came nearer; then those that hold more memories;
         *     then by `context_id`.
         *
         *     When there are more than `limit`, the first ones are given and the search ends at that distance: `left_out` counts
         *     what was found and is not given, and what can be reached only through contexts that were left out, or lies further
         *     away, is neither given nor counted. The links given are those between contexts that are given, in their order, then
         *     by kind; at most 10,000.
         *
         *     However many links there are, the search looks at the latest 50,000 of a context in each direction, and once it has
         *     looked at 100,000 it goes no further: `left_out.unexplored` counts the contexts given whose links it did not, or not
         *     all, look at.
         */
        get: operations["getNeighbourhood"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contexts/{graph_id}/{context_type}/{name}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        /**
         * Read what stood when in one context
         * @description When each claim of the memories of the context stands, stood or will stand, in the order in which that began in the
         *     world, the oldest first, a page at a time. A claim that stood more than once has an item for each time.
         *
         *     Readings of one field of one thing that nobody linked, such as a weight each month, stand beside each other and end
         *     nothing: they are a series, and are marked so.
         */
        get: operations["getContextTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/insights": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate an insight for a task
         * @description Answers with a finding, a recommendation and a confidence. Nothing is invented: every line shows a stored memory in
         *     its own words, or says something about stored memories.
         *
         *     The first line of `insight` is the claim that answers, in at most 200 characters, with the subject in front where the
         *     memory does not name it (`menu risotto: price: 19.80`). It begins otherwise where no standing memory answers alone:
         *     - `Nothing recorded answers this.`, and below it what is `Nearest: …`, if anything is. What is nearest is no answer.
         *     - `Only in part: …`: this memory and the one on the next line, which is linked with it, answer only together.
         *     - `Open question: …`: what fits best is itself a question that was recorded.
         *     - `Recorded on …, changed since: …`: it was replaced, and what replaced it does not say what is asked.
         *     - `From …: …`: it is planned, and nothing that holds now answers.
         *
         *     Below the first line: what else answers, `Before: …` (what was so before), `Against this: …` (the other side of an
         *     open contradiction), `A later record may contradict this: …`, `What it builds on was replaced by: …`, until when
         *     it was valid, and how many later records agree. A memory that could be taken for such words is quoted, with its source
         *     in front.
         *
         *     `recommendation` says what to do, in other words than the insight: `Go ahead: …` with who recorded it and when,
         *     `Check first, since …`, `Settle it: …` with the other side where two stand, or `Once you find out, record it under …`. A fix, a rule
         *     or another instruction that the memory holds is added; a task that is no question gets what was recorded to do.
         *
         *     `confidence` is about the first line: `score` is the fitted probability that it answers the task, and `confidence` the
         *     level of that. `high`: it almost certainly answers, and nothing speaks against it: act on it. `medium`: it may answer:
         *     check before acting. `low`: it probably does not, or nothing does. What is disputed, stale, planned, expired, replaced, builds on
         *     something disputed, is a single unconfirmed observation that replaced what was known, may be contradicted by a later record
         *     of a source that ranks as high, or was said by an agent where a stronger source answers about as well, is never `high`.
         *
         *     How it is made: candidates are found by words (BM25 over stems), by words that stand beside those in this graph, by
         *     meaning, and along links; trust decides what still stands; a small model that is part of the service, the *reader*,
         *     reads the best three together with the task and says whether they answer; three fitted linear models rank, order,
         *     and give the probability. No language model is involved, nothing leaves the machine, and the same request with the same
         *     `as_of` gives the same bytes. [More about it](/docs/confidence).
         *
         *     With `explain: true` the answer also has its score, its reasons and the memories that were found, each with how; and how
         *     many memories of the graph had not been read for meaning yet.
         *
         *     Reading takes processor time, so only so many questions wait for it (see Limits); beyond that the answer is `503` with
         *     the code `overloaded` and `Retry-After`.
         */
        post: operations["generateInsight"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recall memories that fit a query
         * @description The memories that fit the query best, the best first: as Markdown that can be put into a prompt (`memories`), or
         *     with `format: json` as records (`items`). Superseded, planned, expired and stale memories are included and say so.
         *
         *     With a `min_confidence` of `medium` or `high` the best memories are read against the query, as for an insight, which
         *     takes as long as one. `confidence` is then the one that `generateInsight` gives for the same words, limit and filters;
         *     `answered` says whether anything recorded answers the query; and there are no memories where `confidence` does not
         *     reach the level, so that a prompt is not filled with what probably does not help. Without, nothing is read: the answer
         *     is quick, has no `answered`, and its `confidence` is a rougher estimate from words and meaning alone.
         *
         *     With `max_chars` the answer is never longer, and says how many memories were left out.
         *
         *     A query in other words than the memories is found by meaning: a small encoder, which is part of the service and
         *     runs on this machine, reads queries and memories and compares them. It is no language model, it writes nothing, and
         *     nothing leaves the machine.
         */
        post: operations["recallMemories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/{graph_id}/{memory_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The memory, as its `event_id` or `memory_id` was given.
                 * @example mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N
                 */
                memory_id: components["parameters"]["MemoryInPath"];
            };
            cookie?: never;
        };
        /**
         * Read one memory
         * @description The memory, what it links to, how often it was seen, and what has replaced it since.
         */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        /**
         * Erase one memory
         * @description Erases the memory, the links that it states and the links that name it, for good: it is gone from memory, from every
         *     file of the service and from exports, and what it had replaced or confirmed is reckoned anew. With `dry_run=true`
         *     nothing is erased and the answer says what would be.
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/memories/{graph_id}/{memory_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The memory, as its `event_id` or `memory_id` was given.
                 * @example mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N
                 */
                memory_id: components["parameters"]["MemoryInPath"];
            };
            cookie?: never;
        };
        /**
         * Read how a memory came to be what it is
         * @description Every statement of the memory in order of recording, a page at a time: the event that first recorded it, its repeats,
         *     and the events of other memories that reinforce it, each with its own source, times and links, and with what it did to
         *     other memories. Beside them, what replaced the memory and what it replaced, with the place and the time at which that
         *     happened; and in `spells` when each of its claims stands or stood in the world, the oldest first.
         */
        get: operations["getMemoryHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record one event
         * @description Files the event as a memory. The answer comes when it is safely on disk. The graph, the context and the contexts
         *     it links to come to be when they are first named.
         *
         *     The same event again (same context, kind and payload, whatever the order of its keys) is not stored twice: the
         *     answer is `200` with status `duplicate` and the first `event_id`. It is one more statement of the same claim, with
         *     its own place in the order, its own source and its own links. From a weaker source than those who stated it before it
         *     only agrees: times and links that are shown stay theirs, and a context that it alone names does not come to be.
         *
         *     With `dry_run: true` nothing is recorded, and no graph or context comes to be: the answer is `200` with the receipt
         *     that recording the event now would give, and is marked with `dry_run: true`. What would be refused is refused.
         *
         *     A key without the scope `read` is told nothing that others recorded: there is no `similar`, `bears_on` has only memories
         *     that the event names by id, without their contexts, and `unresolved` has no candidates.
         */
        post: operations["recordEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record up to 1,000 events at once
         * @description Records the events of one graph in order, all or none: one event that cannot be recorded refuses them all, and
         *     the error names its index. Each result is what `recordEvent` would have answered. A batch has at most 4 MiB; import
         *     what is larger with `importGraph`.
         */
        post: operations["recordEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List graphs
         * @description The graphs that the secret reaches, by id. A graph comes to be with its first event. Its memories are read for
         *     meaning in the background, soon after they are recorded; `unread` says how many of them are still to be read.
         */
        get: operations["listGraphs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        /**
         * Read what a graph holds, in numbers
         * @description How many memories the graph holds, by type of context, by kind of event and by what stands; how many contexts,
         *     relationships and statements there are; and how much was recorded in each month. A statement is an event that was
         *     recorded: the first of a memory, or one more of the same.
         */
        get: operations["getGraph"];
        put?: never;
        post?: never;
        /**
         * Erase a graph
         * @description Erases the graph and everything in it, for good. With `dry_run=true` nothing is erased and the answer says what
         *     would be. Afterwards the graph does not exist; its next event starts a new one of that name.
         */
        delete: operations["deleteGraph"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph_id}/brief": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        /**
         * Read what to know before starting work
         * @description A short text in Markdown for whoever starts work: what stands (decisions, what was confirmed most of late, and the
         *     latest of the rest), which memories contradict each other, and what builds on something that was replaced. Within each
         *     of these the most trusted sources come first, then the latest, so that what a validator or a user said is not crowded
         *     out by however much an agent records. With a `task` it begins with what is relevant to it, found as `recallMemories`
         *     finds it, stronger sources and agents in turn. Each line is a memory in its
         *     own words, where it is filed, when it was recorded and by whom; what is long is shortened with "…".
         *
         *     It never has more than `max_chars` characters: what does not fit is left out, and the headings say how many
         *     contradictions and stale memories there are in all. With a `valid_at`, the same graph and request give the same bytes.
         */
        get: operations["getBrief"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph_id}/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        /**
         * List open contradictions
         * @description The pairs of memories in open contradiction, both of which stand, by the later of the two, the latest first. Record
         *     which side holds, from a source that ranks high enough, and the pair is settled. A memory that contradicts several
         *     others is in a pair with each.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph_id}/stale": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        /**
         * List stale memories
         * @description The memories that extend or reinforce something that was replaced since, directly or through others, and were not
         *     stated again: the latest first, each with what was replaced. State one again if it still holds, or contradict it.
         *
         *     What is stale is worked out when it is asked for, from the latest 5,000 memories that were replaced and have
         *     something built on them: at most 5,000 memories are found, none through more than 100 others. When that leaves
         *     something out, `more_stale` is true, and there may be more than `total`.
         */
        get: operations["listStale"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        /**
         * Export a graph
         * @description The whole graph as it was recorded, one JSON document a line (NDJSON), as it was when the answer began:
         *
         *     1. a header, `{"loregraph":3,"graph_id":"demo","exported_at":"2026-03-02T09:30:00.000Z"}`, in which `exported_at`
         *        is when its latest memory was recorded, so that the same graph gives the same bytes;
         *     2. a line for each statement in order of recording: what `recordEvent` takes, without `graph_id`, and besides its
         *        `memory_id`, `recorded_at`, `place`, what was `decided`, and `times_seen`, which is 1, and more where an event
         *        was recorded again; for those who hold the scope `admin` also `recorded_by`, the key that recorded it;
         *     3. a last line, `{"count":2,"sha256":"…"}`: how many events there are, and the SHA-256 of their lines, each with its
         *        line feed, in hexadecimal digits. An export without it is incomplete.
         *
         *     With `after`, only the statements after that place, with their own count and hash: what came since. The header of such a
         *     part says so (`"after":12`), and it cannot be imported: it is not a whole graph.
         */
        get: operations["exportGraph"];
        put?: never;
        /**
         * Import a graph
         * @description Takes what `exportGraph` gives, of format 3 or of the older formats 1 and 2, into a graph that does not exist yet, all of it or nothing: a line that is malformed,
         *     missing or changed refuses the whole, and the error names the line. Ids, times and order are kept. The graph may have
         *     another name than the one it was exported under. What was decided is kept, and checked against the rules of trust; the
         *     events of format 1 are decided as they are imported. `recorded_by` is kept as well, and taken only from those who hold the
         *     scope `admin`: anyone else could pass off his words as those of another key, and gets `403`.
         */
        post: operations["importGraph"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphs/{graph_id}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        /**
         * Follow a graph
         * @description The statements of the graph as server-sent events, in order of `place`, each once, and then those to come as they are
         *     recorded, for as long as both sides stay:
         *
         *     - `event: statement`, with the place as its `id` and the line that `exportGraph` has of it as its `data`;
         *     - `event: erased`, without an `id`, with `{"place":3,"memory_id":"mem_…"}` as its `data`: this statement, which you may
         *       have had, was erased. One for each statement of an erased memory, and nothing of what it said;
         *     - a comment every 15 seconds in which nothing happens, so that both sides can tell silence from a lost connection.
         *
         *     To go on after a break, send the last `id` as `Last-Event-ID`, as `EventSource` does by itself, or as `after`; if both are
         *     there, the header counts. Without either it begins with the first statement. Nothing comes twice and nothing is left out.
         *     A place that the graph has not reached is refused with `400` (`unknown_place`): the graph was deleted since and made anew.
         *
         *     Erasures are told to those who are connected. A follower that was away learns of those meanwhile by comparing what it has
         *     with an export. What an erasure decides anew of other statements is not sent again, either.
         *
         *     It ends when the graph is deleted, when the key is revoked or expires, and when the service stops; then connect again. A
         *     follower that does not read is waited for, and closed when nothing of it moves for 35 seconds. A key may follow 100 times
         *     at once (`429` beyond that). The answer is not compressed.
         */
        get: operations["followGraph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description The keys that are in force or have expired, the oldest first, without their secrets. A key that is pinned to graphs
         *     sees only keys that reach no further than it does.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Makes a key and its secret. The secret is in this answer and nowhere else: the service keeps only its hash. A key
         *     can give nothing that it does not hold: no other scope, graph or source, and no longer life than its own.
         *
         *     Of the keys made with one key, directly or with keys that it made, there may be 1,000 at a time, expired ones included,
         *     and keys may make keys 10 times over; beyond that the answer is `403` (`too_many_keys`). The root key may make any
         *     number.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the own key may do
         * @description The key whose secret this request was sent with: its scopes, and the graphs, sources and time that it is limited to.
         *     Whoever holds a secret may ask this of it, so that a program can offer what its key allows and nothing else: the
         *     required scope `any` means each of `read`, `write` and `admin`. The root key has the id `root`, and neither a name nor
         *     a time at which it was made.
         */
        get: operations["getOwnKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key, as its `key_id` was given.
                 * @example key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q
                 */
                key_id: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description The key is refused from now on. Keys that were made with it stay in force. With `with_descendants=true` they are revoked
         *     too, and those made with them, all or none; then the key itself may have been revoked before.
         *
         *     A key can revoke only keys that hold no more than it does (`403`, `beyond_own_key`): no other scope or source, and no
         *     longer life. One that is pinned to graphs leaves alone the keys that reach further, as if there were none (`404`). The
         *     root key cannot be revoked.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Letters, digits, `.`, `_` and `-`, not starting with a dot. Upper and lower case differ. */
        GraphId: string;
        /**
         * @description The type of a context, such as `skill` or `error`. Folded, and at most 64 characters then too; without colons,
         *     control characters and bidirectional controls.
         */
        ContextType: string;
        /**
         * @description The name of a context within its type. Folded, and at most 200 characters then too; without control characters and
         *     bidirectional controls.
         */
        ContextName: string;
        /**
         * @description `type:name`. Folded; the first colon parts the two, of which the type then has at most 64 characters and the name at
         *     most 200.
         */
        ContextId: string;
        /** @description The id of a memory. Later memories of a graph have larger ids. */
        MemoryId: string;
        /** @description Free text. */
        SearchQuery: string;
        /**
         * @description A context id (`type:name`), the id of a memory of the same graph, or one top-level field of such a memory:
         *     `mem_01KY0000000000000000000000#/price`, a JSON pointer, percent-encoded.
         */
        LinkTarget: string;
        /**
         * @description What sort of thing was learned.
         * @enum {string}
         */
        EventKind: "fact" | "action" | "decision" | "observation" | "feedback";
        /**
         * @description Who says so. It sets the confidence that a memory starts with.
         * @enum {string}
         */
        Source: "agent" | "user" | "system" | "validator" | "executor";
        /**
         * @description `superseded`: something took its place before it ended. `planned`: it begins later. `expired`: it ended by itself.
         *     `stale`: it builds on something that was replaced since. What is true is that of the
         *     moment of the request, of `as_of` or of `valid_at`. The first that holds is shown; a later version may have more values.
         * @enum {string}
         */
        MemoryStatus: "current" | "superseded" | "stale" | "planned" | "expired";
        /**
         * Format: int64
         * @description The number of a statement in its graph, in order of recording. Every event that is recorded gets the next one, a repeat
         *     as well; erasures and imports keep it, and none is given twice.
         */
        Place: number;
        /**
         * @description What the link says of the context it leads to.
         * @enum {string}
         */
        RelationshipKind: "reinforcement" | "extension" | "contradiction" | "related-to";
        /**
         * @description `outgoing`: this context states the link. `incoming`: the other one does.
         * @enum {string}
         */
        RelationshipDirection: "outgoing" | "incoming";
        /**
         * @description Which end of a link the context is at.
         * @default both
         * @enum {string}
         */
        RelationshipDirectionFilter: "outgoing" | "incoming" | "both";
        /**
         * @description How far the answer can be relied on. `high`: the first line almost certainly answers, and nothing speaks against it.
         *     `medium`: it may answer. `low`: it probably does not, or nothing recorded does.
         * @enum {string}
         */
        ConfidenceLevel: "high" | "medium" | "low";
        /** @description How far a memory can be trusted, from its source and from what later memories say of it. */
        TrustScore: number;
        /**
         * Format: date-time
         * @description A moment, as RFC 3339.
         */
        Timestamp: string;
        /** @description A date, such as `2026-03-02`, or a moment as RFC 3339. */
        DateOrMoment: string;
        /** @description A time of recording as RFC 3339, a date, or the place of an event in the order of recording as digits. */
        AsOf: string;
        /**
         * @description What was learned, in any shape. Strings in fields such as `decision`, `fix`, `value` or `reason` read best in
         *     insights. At most 65,536 bytes as JSON and 32 levels deep; no NUL characters.
         *
         *     Numbers are IEEE 754 doubles. A whole number that would come back changed, such as `9007199254740993` or an id of
         *     19 digits, is 400, and so is a number too large or too small for a double (`1e400`, `1e-400`): send it as text.
         *     Fractions are rounded to the nearest double, and `-0` is `0`.
         */
        Payload: {
            [key: string]: unknown;
        };
        /** @description Context ids, memory ids or fields of memories of the same graph. All links of one event together are at most 100. */
        LinkTargets: components["schemas"]["LinkTarget"][];
        /**
         * @description Only knowledge of these contexts: each key is a context type, its value the names wanted; an empty array means
         *     every context of the type. Several types are a union, joined with `context_ids`. An empty object is no filter.
         *     Names that do not exist match nothing.
         */
        ContextTypeFilter: {
            [key: string]: components["schemas"]["ContextNames"];
        };
        /** @description Names of contexts of one type; empty for all of them. */
        ContextNames: components["schemas"]["ContextName"][];
        /** @description Only knowledge of these contexts, joined with `context_types`. An empty array is no filter. */
        ContextIds: components["schemas"]["ContextId"][];
        /** @description Something learned, to be recorded. */
        Event: {
            graph_id: components["schemas"]["GraphId"];
            event_kind: components["schemas"]["EventKind"];
            payload: components["schemas"]["Payload"];
            /** @description Where to file it; `<event_kind>:general` if absent. */
            context_id?: components["schemas"]["ContextId"];
            /** @description Who says so; `agent` if absent. */
            source?: components["schemas"]["Source"];
            /** @description What this confirms. */
            reinforces?: components["schemas"]["LinkTargets"];
            /** @description What this builds on. */
            extends?: components["schemas"]["LinkTargets"];
            /**
             * @description What this contradicts, and so may replace: a field of a memory (`mem_…#/price`), a memory, or a context. Of a
             *     context, what the event surely means; where that is not sure nothing moves, and the answer says so in `unresolved`.
             */
            contradicts?: components["schemas"]["LinkTargets"];
            /** @description What else this has to do with. */
            related_to?: components["schemas"]["LinkTargets"];
            /** @description When it happened; the time of recording if absent. A date is that time if it is today (UTC), otherwise 00:00 UTC. */
            timestamp?: components["schemas"]["DateOrMoment"];
            /**
             * @description From when it holds; the `timestamp` if absent. It may lie ahead: the memory is `planned` until then. A date is the time
             *     of recording if it is today (UTC), otherwise 00:00 UTC.
             */
            valid_from?: components["schemas"]["DateOrMoment"];
            /**
             * @description Until when it holds, if that is known; later than `valid_from`, or `timestamp` where that is absent. A date is through
             *     that day (UTC). From then on what stood before stands again, if anything did, and the memory is `expired`, and stays.
             *     The same event again replaces this, also by none.
             */
            valid_until?: components["schemas"]["DateOrMoment"];
            /**
             * @description `true` lists the memories that may speak of the same thing, which takes longer. It has no default in the schema, since
             *     some generators would then require it.
             */
            similar?: boolean;
            /**
             * @description `true` records nothing and only says what recording would do; it does not go with an `Idempotency-Key`. It has no
             *     default in the schema, as `similar` has none.
             */
            dry_run?: boolean;
        };
        /** @description Events of one graph, to be recorded together. */
        EventBatch: {
            graph_id: components["schemas"]["GraphId"];
            events: components["schemas"]["BatchEvents"];
        };
        /** @description The events, in the order in which they are to be recorded. */
        BatchEvents: components["schemas"]["BatchEvent"][];
        /** @description An event of the batch's graph. */
        BatchEvent: {
            event_kind: components["schemas"]["EventKind"];
            payload: components["schemas"]["Payload"];
            /** @description Where to file it; `<event_kind>:general` if absent. */
            context_id?: components["schemas"]["ContextId"];
            /** @description Who says so; `agent` if absent. */
            source?: components["schemas"]["Source"];
            /** @description What this confirms. */
            reinforces?: components["schemas"]["LinkTargets"];
            /** @description What this builds on. */
            extends?: components["schemas"]["LinkTargets"];
            /**
             * @description What this contradicts, and so may replace: a field of a memory (`mem_…#/price`), a memory, or a context. Of a
             *     context, what the event surely means; where that is not sure nothing moves, and the answer says so in `unresolved`.
             */
            contradicts?: components["schemas"]["LinkTargets"];
            /** @description What else this has to do with. */
            related_to?: components["schemas"]["LinkTargets"];
            /** @description When it happened; the time of recording if absent. A date is that time if it is today (UTC), otherwise 00:00 UTC. */
            timestamp?: components["schemas"]["DateOrMoment"];
            /**
             * @description From when it holds; the `timestamp` if absent. It may lie ahead: the memory is `planned` until then. A date is the time
             *     of recording if it is today (UTC), otherwise 00:00 UTC.
             */
            valid_from?: components["schemas"]["DateOrMoment"];
            /**
             * @description Until when it holds, if that is known; later than `valid_from`, or `timestamp` where that is absent. A date is through
             *     that day (UTC). From then on what stood before stands again, if anything did, and the memory is `expired`, and stays.
             *     The same event again replaces this, also by none.
             */
            valid_until?: components["schemas"]["DateOrMoment"];
        };
        /** @description What became of an event. */
        RecordedEvent: {
            /**
             * @description The id of the event, and of the memory it became. In a dry run the id of the memory that a duplicate is a statement
             *     of; otherwise `mem_00000000000000000000000000`, which no recorded memory has.
             */
            event_id: components["schemas"]["MemoryId"];
            context_id: components["schemas"]["ContextId"];
            /**
             * @description `duplicate`: the event was known, and is one more statement of the same claim.
             * @enum {string}
             */
            status: "recorded" | "duplicate";
            /**
             * @description The place of this statement; a duplicate has one of its own. Absent from an answer that an earlier version kept
             *     under an `Idempotency-Key`.
             */
            place?: components["schemas"]["Place"];
            confidence: components["schemas"]["TrustScore"];
            /**
             * @description What the event did to other memories, each memory once for each effect. For a key without the scope `read` only
             *     those of memories that the event names by id.
             */
            bears_on: components["schemas"]["RecordedBearing"][];
            /**
             * @description The links that moved nothing, since what they mean is not sure. Record the same event again with the `send` of the
             *     candidate that is meant to settle one. Absent if there are none.
             */
            unresolved?: components["schemas"]["UnresolvedLink"][];
            /**
             * @description Memories that stand, may speak of the same thing, and that the event does not bear on: those of contexts that
             *     it links to first, then the likest. Only for single records that ask for it, and only for keys with the scope
             *     `read`.
             */
            similar?: components["schemas"]["SimilarMemory"][];
            /** @description `true`: nothing was recorded, and the rest says what would have been. Absent otherwise. */
            dry_run?: boolean;
        };
        /** @description What the event that was sent did to another memory, or would do. */
        RecordedBearing: {
            memory_id: components["schemas"]["MemoryId"];
            /** @description Where that memory is filed. Absent for keys without the scope `read`. */
            context_id?: components["schemas"]["ContextId"];
            effect: components["schemas"]["BearingEffect"];
            rule?: components["schemas"]["BearingRule"];
            /** @description The fields of that memory which it concerns; absent where it concerns the memory as a whole. */
            fields?: components["schemas"]["FieldNames"];
            /** @description The fields of that memory which still stand; absent unless some of them were replaced. */
            standing?: components["schemas"]["FieldNames"];
        };
        /** @description Names of top-level fields of a payload, as it spells them. */
        FieldNames: components["schemas"]["FieldName"][];
        /** @description The name of a top-level field of a payload. */
        FieldName: string;
        /**
         * @description How the event was understood. `field`: the link names a field. `memory`: it names a memory. `fields`: of the memories
         *     of the context this one shares fields with the event. `text`: the two texts surely speak of the same thing. Absent
         *     where the effect follows from another one. A later version may have more values.
         * @enum {string}
         */
        BearingRule: "field" | "memory" | "fields" | "text";
        /** @description A link that moved nothing, and what it may mean. */
        UnresolvedLink: {
            /** @description Where the event states the link, e.g. `/contradicts/0`. */
            path: string;
            target: components["schemas"]["LinkTarget"];
            /** @description What it may mean, the likeliest first. None for a key without the scope `read`. */
            candidates: components["schemas"]["UnresolvedCandidate"][];
        };
        /** @description What a link may mean. */
        UnresolvedCandidate: {
            memory_id: components["schemas"]["MemoryId"];
            field?: components["schemas"]["FieldName"];
            /** @description What to send in place of the link if this is meant. */
            send: components["schemas"]["LinkTarget"];
            text: components["schemas"]["MemoryText"];
        };
        /** @description What an event did to another memory. */
        Bearing: {
            memory_id: components["schemas"]["MemoryId"];
            context_id: components["schemas"]["ContextId"];
            effect: components["schemas"]["BearingEffect"];
            rule?: components["schemas"]["BearingRule"];
            /** @description The fields of that memory which it concerned; absent where it concerned the memory as a whole. */
            fields?: components["schemas"]["FieldNames"];
            /** @description The fields of that memory which still stood then; absent unless some of them were replaced. */
            standing?: components["schemas"]["FieldNames"];
        };
        /**
         * @description `supersedes`: it takes the place of the memory, from when it begins. `disputes`: both stand, in open contradiction.
         *     `reinforces` and `extends`: as they say. `late`: it began before the memory that it contradicts, which goes on; it is kept
         *     behind it. `noted`: the link is kept and changes nothing, as when the memory is superseded already.
         * @enum {string}
         */
        BearingEffect: "supersedes" | "disputes" | "reinforces" | "extends" | "late" | "noted";
        /** @description A memory that may speak of the same thing. */
        SimilarMemory: {
            memory_id: components["schemas"]["MemoryId"];
            context_id: components["schemas"]["ContextId"];
            text: components["schemas"]["MemoryText"];
            /** @description How alike the two texts are. */
            likeness: number;
        };
        /** @description What became of the events of a batch, in their order. */
        RecordedEvents: {
            /** @description One result for each event, in order. */
            results: components["schemas"]["RecordedEvent"][];
        };
        /** @description A task, and where to look for what is known about it. */
        InsightRequest: {
            /** @description The question or task. Also what is searched for, unless `locus_query` is given. */
            task: string;
            graph_id: components["schemas"]["GraphId"];
            limit?: components["schemas"]["MemoryLimit"];
            /** @description What to search for instead of the task, when the task is broad and one area of knowledge is wanted. */
            locus_query?: string;
            context_types?: components["schemas"]["ContextTypeFilter"];
            context_ids?: components["schemas"]["ContextIds"];
            /**
             * @description Answer as the graph was then, as if nothing later had been recorded. Before the first event there was no graph
             *     (`404`); a moment in the future is the present. A date is the end of that day in UTC.
             */
            as_of?: components["schemas"]["AsOf"];
            /**
             * @description Answer what is true at this time in the world, past or to come; now, or at `as_of`, if absent. A date is the end of
             *     that day in UTC.
             */
            valid_at?: components["schemas"]["DateOrMoment"];
            /**
             * @description Also answer with `score`, `reasons`, `unread` and `evidence`.
             * @default false
             */
            explain?: boolean;
        };
        /**
         * @description The most memories to consider.
         * @default 5
         */
        MemoryLimit: number;
        /** @description A finding, what to do about it, and how far to rely on it. */
        Insight: {
            /**
             * @description The finding, a line each. The first is the claim that answers, in at most 200 characters, or
             *     `Nothing recorded answers this.`; the others are what goes with it and what speaks against it.
             */
            insight: string;
            /**
             * @description What to do next: an instruction that was recorded, how far to rely on the first line and why, or where to record the
             *     answer once it is known.
             */
            recommendation: string;
            confidence: components["schemas"]["ConfidenceLevel"];
            /**
             * @description The fitted probability that the first line answers the task, behind `confidence`; 0 if nothing was found at all. What
             *     speaks against an answer lowers its level and not this number. With `explain` only.
             */
            score?: number;
            /**
             * @description Why the confidence is what it is, in sentences: how many of the memories that were read answer, who said the first,
             *     and all that keeps it from being `high`. With `explain` only.
             */
            reasons?: string[];
            /**
             * @description How many memories of the graph had not been read for meaning yet, and were found by their words and links alone.
             *     With `explain` only; left out where nothing is read for meaning.
             */
            unread?: number;
            /**
             * @description The memories that were found, the one of the first line first. Where nothing recorded answers, the insight rests on
             *     none of them. With `explain` only.
             */
            evidence?: components["schemas"]["Evidence"][];
        };
        /** @description A memory that was found for an insight. */
        Evidence: {
            memory_id: components["schemas"]["MemoryId"];
            context_id: components["schemas"]["ContextId"];
            text: components["schemas"]["MemoryText"];
            /**
             * @description What the memory does for the insight. `superseded` is also said of what is planned or has expired, of what builds on something
             *     replaced since, and of what a later record that contradicts the context may contradict.
             * @enum {string}
             */
            role: "supports" | "extends" | "contradicts" | "superseded";
            /**
             * @description How well it fits the task, beside the best of this answer. The insight tells the best and what reaches 0.43; the
             *     others were found as well.
             */
            relevance: number;
            /** @description Every way in which the memory was found. */
            found_by: components["schemas"]["FoundBy"][];
            confidence: components["schemas"]["TrustScore"];
        };
        /**
         * @description `words`: it shares a word with the task, or with the memories that do. `meaning`: what it says is near to the task.
         *     `link`: it stands close to, is linked with or takes the place of a memory that was found. `filter`: it is among the
         *     latest of the contexts that were asked for.
         * @enum {string}
         */
        FoundBy: "words" | "meaning" | "link" | "filter";
        /** @description The payload as one line of text, with what stands now in place of what was replaced. */
        MemoryText: string;
        /** @description What to recall, and from where. */
        RecallRequest: {
            /** @description What to look for, in plain words. */
            query: string;
            graph_id: components["schemas"]["GraphId"];
            limit?: components["schemas"]["MemoryLimit"];
            context_types?: components["schemas"]["ContextTypeFilter"];
            context_ids?: components["schemas"]["ContextIds"];
            /**
             * @description Answer as the graph was then, as if nothing later had been recorded. Before the first event there was no graph
             *     (`404`); a moment in the future is the present. A date is the end of that day in UTC.
             */
            as_of?: components["schemas"]["AsOf"];
            /**
             * @description Answer what is true at this time in the world, past or to come; now, or at `as_of`, if absent. A date is the end of
             *     that day in UTC.
             */
            valid_at?: components["schemas"]["DateOrMoment"];
            /**
             * @description `markdown`: text for a prompt in `memories`. `json`: records in `items`.
             * @default markdown
             * @enum {string}
             */
            format?: "markdown" | "json";
            /**
             * @description Answer with no memory at all where `confidence` is below this level: `high` takes only high, `medium` high and
             *     medium, `low` everything, as if it were absent. With `medium` or `high` the best memories are read against the
             *     query, as for an insight, which takes as long as one; without, nothing is read and the answer is quick.
             */
            min_confidence?: components["schemas"]["ConfidenceLevel"];
            /**
             * @description The most characters that `memories` may have; with `format` `json`, that the `text`s of all `items` may have
             *     together. The best memories are taken first, each of them whole; one for which there is no room is left out, and a
             *     shorter one behind it may still be in. In Markdown, the first such memory is shortened with "…" if that can be
             *     done at a clause without losing a condition or a negation. A character beyond U+FFFF counts as two.
             */
            max_chars?: number;
        };
        /** @description The memories found, in the format asked for. */
        RecallResult: {
            /** @description The memories as a Markdown list; empty when there are none. With `format` `markdown`. */
            memories?: string;
            /** @description The memories as records, the best first. With `format` `json`. */
            items?: components["schemas"]["RecalledMemory"][];
            /** @description How many memories the answer holds. */
            items_found: number;
            /**
             * @description How far these memories can be relied on as an answer to the query; that of what was found, also when
             *     `min_confidence` or `max_chars` kept it out of the answer. With a `min_confidence` of `medium` or `high` it is that
             *     of an insight; otherwise a rougher estimate from words and meaning alone.
             */
            confidence: components["schemas"]["ConfidenceLevel"];
            /**
             * @description Whether anything recorded answers the query; `false` says that nothing does. Only with a `min_confidence` of
             *     `medium` or `high`, and where memories can be read.
             */
            answered?: boolean;
            /** @description How many memories fit the query and were left out for want of room. With `max_chars` only. */
            left_out?: number;
        };
        /** @description A memory and how well it fits the query. */
        RecalledMemory: {
            memory_id: components["schemas"]["MemoryId"];
            context_id: components["schemas"]["ContextId"];
            text: components["schemas"]["MemoryText"];
            payload: components["schemas"]["Payload"];
            event_kind: components["schemas"]["EventKind"];
            source: components["schemas"]["Source"];
            /** @description How well it fits the query. Comparable within one answer only. */
            score: number;
            confidence: components["schemas"]["TrustScore"];
            status: components["schemas"]["MemoryStatus"];
            occurred_at: components["schemas"]["Timestamp"];
            recorded_at: components["schemas"]["Timestamp"];
            /** @description From when it holds, where its first statement says so; otherwise it holds from when it happened. */
            valid_from?: components["schemas"]["Timestamp"];
            /** @description Until when its latest statement says that it holds; absent where that says nothing of it. */
            valid_until?: components["schemas"]["Timestamp"];
            disputed_by: components["schemas"]["DisputedBy"];
            /**
             * @description The fields that no longer stand, while others of the memory do, each with the value that stands now. Absent if
             *     there are none.
             */
            replaced?: components["schemas"]["ReplacedField"][];
        };
        /** @description The memories in open contradiction with it, of more than 100 the latest; all of them stand. */
        DisputedBy: components["schemas"]["MemoryId"][];
        /** @description What an event became. */
        Memory: {
            memory_id: components["schemas"]["MemoryId"];
            context_id: components["schemas"]["ContextId"];
            text: components["schemas"]["MemoryText"];
            payload: components["schemas"]["Payload"];
            event_kind: components["schemas"]["EventKind"];
            source: components["schemas"]["Source"];
            confidence: components["schemas"]["TrustScore"];
            status: components["schemas"]["MemoryStatus"];
            occurred_at: components["schemas"]["Timestamp"];
            recorded_at: components["schemas"]["Timestamp"];
            /** @description From when it holds, where its first statement says so; otherwise it holds from when it happened. */
            valid_from?: components["schemas"]["Timestamp"];
            /** @description Until when its latest statement says that it holds; absent where that says nothing of it. */
            valid_until?: components["schemas"]["Timestamp"];
            /** @description The place of its first statement. */
            place: components["schemas"]["Place"];
            /**
             * @description The key that recorded its first statement, told only to those who hold the scope `admin`. Absent where it is not
             *     known, as of what an earlier version recorded.
             */
            recorded_by?: components["schemas"]["CallerKeyId"];
            links: components["schemas"]["MemoryLinks"];
            /** @description The memories that replaced it, of more than 100 the latest; empty unless superseded. */
            superseded_by: components["schemas"]["MemoryId"][];
            /** @description The memories that it replaced, of more than 100 the latest. */
            supersedes: components["schemas"]["MemoryId"][];
            disputed_by: components["schemas"]["DisputedBy"];
            /**
             * @description The fields that no longer stand, while others of the memory do, each with the value that stands now. Absent if
             *     there are none.
             */
            replaced?: components["schemas"]["ReplacedField"][];
            /** @description 1, and one more for each time the same event was recorded again. */
            times_seen: number;
            /** @description When its event was last recorded. */
            last_stated_at: components["schemas"]["Timestamp"];
        };
        /** @description A field that another memory replaced. */
        ReplacedField: {
            field: components["schemas"]["FieldName"];
            /** @description The memory that says it now. */
            by: components["schemas"]["MemoryId"];
            /** @description The value that stands now as one line of text; empty for null, absent where it is long. */
            text?: string;
        };
        /** @description What the memory links to, in the order in which it was stated. */
        MemoryLinks: {
            reinforces: components["schemas"]["StatedTargets"];
            extends: components["schemas"]["StatedTargets"];
            contradicts: components["schemas"]["StatedTargets"];
            related_to: components["schemas"]["StatedTargets"];
        };
        /** @description How a memory was stated, what replaced what, and when its claims stand. */
        MemoryHistory: {
            memory_id: components["schemas"]["MemoryId"];
            /** @description The statements in order of recording. */
            statements: components["schemas"]["MemoryStatement"][];
            /** @description What it replaced and has stayed replaced, in order of replacement; the first 1,000. */
            supersedes: components["schemas"]["Supersession"][];
            /** @description What replaced it; empty while it stands. All of them share the place at which it was replaced. */
            superseded_by: components["schemas"]["Supersession"][];
            /** @description When each of its claims stands, stood or will stand, in the order in which that begins in the world; on every page. */
            spells: components["schemas"]["Spell"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
        };
        /** @description A time in the world in which a claim stands. */
        Spell: {
            /** @description The field that the claim is; absent for the sentences of the memory, or the memory as a whole. */
            field?: components["schemas"]["FieldName"];
            /** @description From when it stands. */
            valid_from: components["schemas"]["Timestamp"];
            /** @description When it ends; absent while no end is known. */
            valid_to?: components["schemas"]["Timestamp"];
            /** @description The memory that takes its place at `valid_to`; absent where it just ends. */
            by?: components["schemas"]["MemoryId"];
        };
        /** @description One event that states a memory. */
        MemoryStatement: {
            place: components["schemas"]["Place"];
            /** @description The memory whose event it is, which is this one or one that reinforces it. */
            event_id: components["schemas"]["MemoryId"];
            /** @description Whether it is an event of the memory itself, the first one or a repeat. */
            own: boolean;
            source: components["schemas"]["Source"];
            recorded_at: components["schemas"]["Timestamp"];
            occurred_at: components["schemas"]["Timestamp"];
            /** @description The links that this event stated. */
            links: components["schemas"]["MemoryLinks"];
            /** @description What the event did to other memories, each memory once for each effect. */
            bears_on: components["schemas"]["Bearing"][];
        };
        /** @description That one memory replaced another. */
        Supersession: {
            /** @description The other memory. */
            memory_id: components["schemas"]["MemoryId"];
            /** @description The place of the event with which the one that was replaced no longer stood. */
            place: components["schemas"]["Place"];
            /** @description When that event was recorded. */
            recorded_at: components["schemas"]["Timestamp"];
            /** @description Who said so. */
            source: components["schemas"]["Source"];
        };
        /** @description Context ids and memory ids. Repeats of an event may add to them. */
        StatedTargets: components["schemas"]["LinkTarget"][];
        /** @description A context type and how many contexts have it. */
        ContextTypeCount: {
            context_type: components["schemas"]["ContextType"];
            count: components["schemas"]["Count"];
        };
        /** @description A context. */
        ContextSummary: {
            context_id: components["schemas"]["ContextId"];
            context_type: components["schemas"]["ContextType"];
            context_name: components["schemas"]["ContextName"];
            memory_count: components["schemas"]["Count"];
            /** @description When something was last recorded in it, or when it was first linked to. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description Context types, or, when `q` was given, contexts. Exactly one of the two lists is present. */
        ContextIndex: {
            /** @description The context types of the graph, by name. Present without `q`. */
            context_types?: components["schemas"]["ContextTypeCount"][];
            /** @description The contexts that match, the best first. Present with `q`. */
            contexts?: components["schemas"]["ContextSummary"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
        };
        /** @description A page of contexts. */
        ContextList: {
            /** @description The contexts, by name. */
            contexts: components["schemas"]["ContextSummary"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
        };
        /** @description A context and a page of its memories. */
        ContextDetail: {
            context_id: components["schemas"]["ContextId"];
            context_type: components["schemas"]["ContextType"];
            context_name: components["schemas"]["ContextName"];
            memory_count: components["schemas"]["Count"];
            /** @description When the graph first heard of it, as a place for knowledge or as the target of a link. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When something was last recorded in it, or when it was first linked to. */
            updated_at: components["schemas"]["Timestamp"];
            /** @description Its memories, the newest first. */
            memories: components["schemas"]["Memory"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
        };
        /** @description A page of what stood when in a context. */
        ContextTimeline: {
            context_id: components["schemas"]["ContextId"];
            /** @description When each claim stands, in the order in which that begins in the world. */
            timeline: components["schemas"]["TimelineItem"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
        };
        /** @description A claim of a memory, and a time in the world in which it stands. */
        TimelineItem: {
            memory_id: components["schemas"]["MemoryId"];
            /** @description The field that the claim is; absent for the sentences of the memory, or the memory as a whole. */
            field?: components["schemas"]["FieldName"];
            /** @description The value of the field as one line of text, or the text of the memory. */
            text: string;
            /** @description From when it stands. */
            valid_from: components["schemas"]["Timestamp"];
            /** @description When it ends; absent while no end is known. */
            valid_to?: components["schemas"]["Timestamp"];
            /** @description The memory that takes its place at `valid_to`; absent where it just ends. */
            by?: components["schemas"]["MemoryId"];
            /** @description The status of the memory. */
            status: components["schemas"]["MemoryStatus"];
            /** @description `true`: one of several readings of one field of one thing, which nobody linked and which end nothing. Absent otherwise. */
            series?: boolean;
        };
        /** @description A link between the context asked for and another. */
        Relationship: {
            kind: components["schemas"]["RelationshipKind"];
            direction: components["schemas"]["RelationshipDirection"];
            /** @description The context at the other end. */
            context_id: components["schemas"]["ContextId"];
            context_type: components["schemas"]["ContextType"];
            context_name: components["schemas"]["ContextName"];
            /** @description How many memories state the link. */
            weight: components["schemas"]["Count"];
            /** @description When it was first stated. */
            first_seen: components["schemas"]["Timestamp"];
            /** @description When it was last stated. */
            last_seen: components["schemas"]["Timestamp"];
        };
        /** @description The links of one context. */
        RelationshipList: {
            context_id: components["schemas"]["ContextId"];
            /** @description All links that pass the filters. */
            relationships: components["schemas"]["Relationship"][];
            total: components["schemas"]["Count"];
        };
        /** @description A context, those around it, and the links among them. */
        Neighbourhood: {
            /** @description The context asked for. */
            context_id: components["schemas"]["ContextId"];
            /** @description The contexts, this one first, then the nearest first. */
            contexts: components["schemas"]["NearContext"][];
            /** @description The links between these contexts. */
            relationships: components["schemas"]["ContextLink"][];
            left_out: components["schemas"]["LeftOut"];
        };
        /** @description A context and how far away it is. */
        NearContext: {
            context_id: components["schemas"]["ContextId"];
            context_type: components["schemas"]["ContextType"];
            context_name: components["schemas"]["ContextName"];
            memory_count: components["schemas"]["Count"];
            /** @description How many links away it is; 0 for the context asked for. */
            distance: number;
        };
        /** @description A link from one context to another, or to itself. */
        ContextLink: {
            /** @description The context that states the link. */
            from: components["schemas"]["ContextId"];
            /** @description The context that the link names. */
            to: components["schemas"]["ContextId"];
            kind: components["schemas"]["RelationshipKind"];
            /** @description How many memories state the link. */
            weight: components["schemas"]["Count"];
            /** @description When it was first stated. */
            first_seen: components["schemas"]["Timestamp"];
            /** @description When it was last stated. */
            last_seen: components["schemas"]["Timestamp"];
        };
        /** @description What was found and is not given. All three are 0 when the answer is complete. */
        LeftOut: {
            /** @description How many contexts were found beyond the limit. */
            contexts: components["schemas"]["Count"];
            /** @description How many links between the contexts given were found beyond the 10,000. */
            relationships: components["schemas"]["Count"];
            /** @description Of how many contexts given the links were not all looked at, since there are too many. */
            unexplored: components["schemas"]["Count"];
        };
        /** @description Any visible ASCII characters, such as a UUID. */
        IdempotencyKey: string;
        /** @description A graph. */
        GraphSummary: {
            graph_id: components["schemas"]["GraphId"];
            /** @description How many of its memories have not been read for meaning yet; left out when all have been. */
            unread?: number;
        };
        /** @description A page of graphs. */
        GraphList: {
            /** @description The graphs, by id. */
            graphs: components["schemas"]["GraphSummary"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
        };
        /** @description A graph in numbers. */
        GraphDetail: {
            graph_id: components["schemas"]["GraphId"];
            memories: components["schemas"]["Count"];
            contexts: components["schemas"]["Count"];
            /** @description How many links there are between contexts; one that several memories state counts once. */
            relationships: components["schemas"]["Count"];
            /** @description How many events were recorded and not erased, repeats included. */
            statements: components["schemas"]["Count"];
            /** @description The types, by name; the first 1,000 of them. */
            by_context_type: components["schemas"]["TypeShare"][];
            by_event_kind: components["schemas"]["EventKindCounts"];
            by_source: components["schemas"]["SourceCounts"];
            by_status: components["schemas"]["StatusCounts"];
            more_stale: components["schemas"]["MoreStale"];
            /** @description The months in which something was recorded, in order. */
            by_month: components["schemas"]["MonthCount"][];
            /** @description When the first of its statements was recorded. Absent when there is none. */
            first_recorded_at?: components["schemas"]["Timestamp"];
            /** @description When the latest of its statements was recorded. Absent when there is none. */
            last_recorded_at?: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The latest place in the order of recording, 0 when nothing was recorded; erasures do not move it.
             */
            place: number;
            /** @description How many of its memories have not been read for meaning yet. */
            unread: components["schemas"]["Count"];
        };
        /** @description What is to be done, in words; short enough for any script to fit into an address. */
        TaskText: string;
        /** @description What to know before starting work. */
        Brief: {
            /** @description The brief as Markdown. */
            brief: string;
        };
        /** @description A context type with what is filed under it. */
        TypeShare: {
            context_type: components["schemas"]["ContextType"];
            contexts: components["schemas"]["Count"];
            memories: components["schemas"]["Count"];
        };
        /** @description How many memories are of each kind. */
        EventKindCounts: {
            fact: components["schemas"]["Count"];
            action: components["schemas"]["Count"];
            decision: components["schemas"]["Count"];
            observation: components["schemas"]["Count"];
            feedback: components["schemas"]["Count"];
        };
        /** @description How many statements each source has made. */
        SourceCounts: {
            agent: components["schemas"]["Count"];
            user: components["schemas"]["Count"];
            system: components["schemas"]["Count"];
            validator: components["schemas"]["Count"];
            executor: components["schemas"]["Count"];
        };
        /** @description How many memories have each status. Those are stale that `listStale` finds, the rest is current. */
        StatusCounts: {
            current: components["schemas"]["Count"];
            superseded: components["schemas"]["Count"];
            planned: components["schemas"]["Count"];
            expired: components["schemas"]["Count"];
            stale: components["schemas"]["Count"];
        };
        /** @description A month and how many statements were recorded in it. */
        MonthCount: {
            /** @description The year and the month in UTC, as `YYYY-MM`. */
            month: string;
            statements: components["schemas"]["Count"];
        };
        /** @description A page of open contradictions. */
        DisputeList: {
            /** @description The pairs, by the later of the two, the latest first. */
            disputes: components["schemas"]["Dispute"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
        };
        /** @description Two memories in open contradiction; both stand. */
        Dispute: {
            /** @description Since when both sides are on record, which is when the later one was first recorded. */
            since: components["schemas"]["Timestamp"];
            /** @description The side that was recorded first. */
            earlier: components["schemas"]["Memory"];
            /** @description The other side. */
            later: components["schemas"]["Memory"];
            /** @description The field that they disagree about; absent where it is the memory as a whole. */
            field?: components["schemas"]["FieldName"];
        };
        /** @description A page of stale memories. */
        StaleList: {
            /** @description The memories, the latest first. */
            stale: components["schemas"]["StaleMemory"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
            more_stale: components["schemas"]["MoreStale"];
        };
        /**
         * @description Whether there may be more stale memories than were found, because the search met its limits (see `listStale`). Such
         *     memories are counted as current.
         */
        MoreStale: boolean;
        /** @description A stale memory and why it is stale. */
        StaleMemory: {
            memory: components["schemas"]["Memory"];
            /**
             * @description What it builds on that was replaced, the nearest first; at most 20. Empty when what was replaced has been erased
             *     since.
             */
            because: components["schemas"]["Replaced"][];
        };
        /** @description A memory that was replaced, and by what. */
        Replaced: {
            memory_id: components["schemas"]["MemoryId"];
            context_id: components["schemas"]["ContextId"];
            /** @description The memories that replaced it. */
            superseded_by: components["schemas"]["MemoryId"][];
        };
        /** @description Exactly what was erased, or would be. */
        ErasureReceipt: {
            /** @description Whether nothing was erased, and this only says what would be. */
            dry_run: boolean;
            graph_id: components["schemas"]["GraphId"];
            /** @description How many memories go. */
            memories: components["schemas"]["Count"];
            /** @description How many links go, of those that these memories state and those that name one of them. */
            relationships: components["schemas"]["Count"];
            /** @description How many contexts go, since nothing is filed under them any more and nothing links to them. */
            contexts: components["schemas"]["Count"];
            /** @description The memories that go, in order of recording; the first 10,000 of them. */
            memory_ids: components["schemas"]["MemoryId"][];
            /** @description When they were erased. Absent from a dry run. */
            erased_at?: components["schemas"]["Timestamp"];
            /** @description The key with which it was asked for. */
            key_id: components["schemas"]["CallerKeyId"];
        };
        /** @description A place, in decimal digits; 0 for all. */
        LastEventId: string;
        /** @description Server-sent events, as `followGraph` explains. */
        GraphFeed: string;
        /** @description A header line, a line for each event, and a last line with their count and hash, as `exportGraph` explains. */
        GraphExport: string;
        /** @description A line of an export. `recordEvent` takes all of it up to `valid_until`. */
        PastEvent: {
            event_kind: components["schemas"]["EventKind"];
            payload: components["schemas"]["Payload"];
            context_id: components["schemas"]["ContextId"];
            source: components["schemas"]["Source"];
            /** @description What this confirms. */
            reinforces?: components["schemas"]["LinkTargets"];
            /** @description What this builds on. */
            extends?: components["schemas"]["LinkTargets"];
            /** @description What this contradicts. */
            contradicts?: components["schemas"]["LinkTargets"];
            /** @description What else this has to do with. */
            related_to?: components["schemas"]["LinkTargets"];
            /** @description When it happened. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description From when it holds, if that was said. */
            valid_from?: components["schemas"]["Timestamp"];
            /** @description Until when it holds, if that was said. */
            valid_until?: components["schemas"]["Timestamp"];
            memory_id: components["schemas"]["MemoryId"];
            /** @description When it was recorded. */
            recorded_at: components["schemas"]["Timestamp"];
            /** @description 1 where the memory came to be; one more each time the same event was recorded again. */
            times_seen: number;
            /** @description Its place in the order of recording. Missing in format 1 only. */
            place?: components["schemas"]["Place"];
            /**
             * @description The key that recorded it. Only in exports for those who hold the scope `admin`, and only taken from them; missing where
             *     it is not known.
             */
            recorded_by?: components["schemas"]["CallerKeyId"];
            decided?: components["schemas"]["Decided"];
        };
        /**
         * @description What was decided when the event was recorded; missing where that is nothing, and in format 1. An import keeps it and
         *     decides nothing anew.
         */
        Decided: {
            /** @description For each link, in the order reinforces, extends, contradicts, related_to, the memories that it bears on. */
            bears?: components["schemas"]["ClaimIds"][];
            /** @description Which claims were opposed, and what became of them. */
            opposes?: components["schemas"]["DecidedOpposition"][];
            /** @description Which claims were stated with it. */
            reinforces?: components["schemas"]["DecidedReinforcement"][];
            /** @description Which superseded claims stand again. */
            returns?: components["schemas"]["DecidedReturn"][];
            /** @description The contexts that it contradicts as a whole, since the link bore on none of their memories. */
            against?: components["schemas"]["ContextIds"];
            /** @description The contexts that it extends as a whole, since the link bore on none of their memories. */
            wholes?: components["schemas"]["ContextIds"];
            /** @description Supersessions of erased memories that it built on. */
            lost?: components["schemas"]["DecidedLoss"][];
            /** @description The links that moved nothing, since what they mean was not sure, and what they may mean. */
            unresolved?: components["schemas"]["DecidedUnresolved"][];
        };
        /** @description Memories, and fields of memories. */
        ClaimIds: components["schemas"]["ClaimId"][];
        /** @description The id of a memory, or one of its fields as a JSON pointer behind the id. */
        ClaimId: string;
        /** @description A link that moved nothing. */
        DecidedUnresolved: {
            /** @description Which of the links, in the order reinforces, extends, contradicts, related_to. */
            link: number;
            /** @description What it may mean. */
            candidates: components["schemas"]["ClaimId"][];
        };
        /** @description One claim against another. */
        DecidedOpposition: {
            by: components["schemas"]["ClaimId"];
            against: components["schemas"]["ClaimId"];
            /**
             * @description `joins`: it would supersede a claim that is superseded already. `corrects`: it supersedes what never was or will be.
             *     `ends`: it supersedes what held for a time, and gives back what that had taken the place of. `late`: it comes behind.
             * @enum {string}
             */
            effect: "supersedes" | "joins" | "corrects" | "ends" | "disputes" | "late" | "noted";
        };
        /** @description A claim that the event states with its own. */
        DecidedReinforcement: {
            memory_id: components["schemas"]["ClaimId"];
            /**
             * @description `noted`: it does not count until both stand.
             * @enum {string}
             */
            effect: "reinforces" | "noted";
        };
        /** @description A superseded claim that stands again. */
        DecidedReturn: {
            memory_id: components["schemas"]["ClaimId"];
            /** @description It stands in open contradiction with stronger claims. */
            disputed: boolean;
        };
        /** @description A supersession of an erased memory. */
        DecidedLoss: {
            /**
             * Format: int64
             * @description The place of the event that superseded it.
             */
            place: number;
            source: components["schemas"]["Source"];
            /**
             * @description How the memory built on it.
             * @enum {string}
             */
            kind: "extends" | "reinforces";
        };
        /** @description What was imported. */
        ImportedGraph: {
            graph_id: components["schemas"]["GraphId"];
            /** @description How many events were imported. */
            events: components["schemas"]["Count"];
            /** @description How many memories they became. */
            memories: components["schemas"]["Count"];
        };
        /** @description The id of a key. It is not secret. */
        KeyId: string;
        /** @description The id of a key, or `root` for the secret that the service was started with. */
        CallerKeyId: string;
        /** @description What the key is for, in words. */
        KeyName: string;
        /**
         * @description What a key may do. None includes another.
         * @enum {string}
         */
        Scope: "read" | "write" | "admin";
        /** @description What the key may do. */
        Scopes: components["schemas"]["Scope"][];
        /** @description The only graphs that the key reaches, be they there already or not. Absent for all graphs. */
        KeyGraphs: components["schemas"]["GraphId"][];
        /** @description The only sources that the key may record as. Absent for all sources. */
        KeySources: components["schemas"]["Source"][];
        /** @description The key to make. */
        KeyRequest: {
            name: components["schemas"]["KeyName"];
            scopes: components["schemas"]["Scopes"];
            graphs?: components["schemas"]["KeyGraphs"];
            sources?: components["schemas"]["KeySources"];
            /** @description When the key ends, in the future; never if absent. */
            expires_at?: components["schemas"]["Timestamp"];
        };
        /** @description A new key with its secret, which cannot be read again. */
        CreatedKey: {
            key_id: components["schemas"]["KeyId"];
            /**
             * @description What the agent sends as `Authorization: Bearer <AGENT_SECRET>`: `lore_` and 48 characters, of which the last six
             *     are a checksum over the rest, so that scanners can tell one from other text.
             */
            secret: string;
            name: components["schemas"]["KeyName"];
            scopes: components["schemas"]["Scopes"];
            graphs?: components["schemas"]["KeyGraphs"];
            sources?: components["schemas"]["KeySources"];
            /** @description The key that it was made with. */
            created_by: components["schemas"]["CallerKeyId"];
            created_at: components["schemas"]["Timestamp"];
            expires_at?: components["schemas"]["Timestamp"];
        };
        /** @description A key, without its secret. */
        Key: {
            key_id: components["schemas"]["KeyId"];
            name: components["schemas"]["KeyName"];
            scopes: components["schemas"]["Scopes"];
            graphs?: components["schemas"]["KeyGraphs"];
            sources?: components["schemas"]["KeySources"];
            /** @description The key that it was made with; absent when an earlier version made it. */
            created_by?: components["schemas"]["CallerKeyId"];
            created_at: components["schemas"]["Timestamp"];
            /** @description When the key ends; absent if never. */
            expires_at?: components["schemas"]["Timestamp"];
        };
        /** @description The key that a request was sent with, without its secret. */
        OwnKey: {
            key_id: components["schemas"]["CallerKeyId"];
            /** @description What the key is for, in words; absent for the root key. */
            name?: components["schemas"]["KeyName"];
            scopes: components["schemas"]["Scopes"];
            graphs?: components["schemas"]["KeyGraphs"];
            sources?: components["schemas"]["KeySources"];
            /** @description The key that it was made with; absent for the root key, and when an earlier version made it. */
            created_by?: components["schemas"]["CallerKeyId"];
            /** @description When the key was made; absent for the root key. */
            created_at?: components["schemas"]["Timestamp"];
            /** @description When the key ends; absent if never. */
            expires_at?: components["schemas"]["Timestamp"];
        };
        /** @description A page of keys. */
        KeyList: {
            /** @description The keys, the oldest first. */
            keys: components["schemas"]["Key"][];
            total: components["schemas"]["Count"];
            page: components["schemas"]["PageIndex"];
            page_size: components["schemas"]["PageLength"];
        };
        /** @description A number of things. */
        Count: number;
        /** @description The page returned, counted from 0. */
        PageIndex: number;
        /** @description The page size in effect. */
        PageLength: number;
        /** @description What went wrong and what to do about it (RFC 9457). */
        Problem: {
            /**
             * Format: uri
             * @description Names the kind of problem; ends in its `code`.
             */
            type: string;
            /** @description The kind of problem in words. The same for every problem of this kind. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What is wrong this time, and what to do. */
            detail: string;
            /** @description Stable, for programs. */
            code: string;
            /** @description The request's id, to be found in the log. */
            request_id: string;
            /** @description The fields at fault. */
            errors?: components["schemas"]["FieldError"][];
        };
        /** @description One field at fault. */
        FieldError: {
            /** @description JSON pointer (RFC 6901) into the request, starting with `/body`, `/query`, `/path` or `/headers`. */
            path: string;
            /** @description What the field must be. */
            message: string;
        };
    };
    responses: {
        /** @description Nothing has changed since the answer whose `ETag` was sent in `If-None-Match`. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Something in the request is malformed. `errors` names each field and what it must be. */
        BadRequest: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:invalid_request",
                 *       "title": "The request does not fit the contract",
                 *       "status": 400,
                 *       "detail": "/query/page must be a whole number in decimal digits.",
                 *       "code": "invalid_request",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                 *       "errors": [
                 *         {
                 *           "path": "/query/page",
                 *           "message": "must be a whole number in decimal digits"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no valid secret in the `Authorization` header. */
        Unauthorized: {
            headers: {
                Link: components["headers"]["Help"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:unauthorized",
                 *       "title": "A valid secret is needed",
                 *       "status": 401,
                 *       "detail": "Send the agent's secret as \"Authorization: Bearer <AGENT_SECRET>\".",
                 *       "code": "unauthorized",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The secret does not hold the scope that this needs (`insufficient_scope`), does not reach the graph, be there such a
         *     graph or not (`graph_forbidden`), may not record as that source or say which key recorded something (`source_forbidden`;
         *     `errors` names the field), would give away more than it holds, or revoke a key that holds more
         *     (`beyond_own_key`), or has made as many keys as it may (`too_many_keys`).
         */
        Forbidden: {
            headers: {
                Link: components["headers"]["Help"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:insufficient_scope",
                 *       "title": "The secret does not allow this",
                 *       "status": 403,
                 *       "detail": "This needs a secret with the scope write.",
                 *       "code": "insufficient_scope",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests were made with this key, or are under way with it, or came with wrong secrets from this address. */
        TooManyRequests: {
            headers: {
                Link: components["headers"]["Help"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:too_many_requests",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "This key may make 1000 requests in 10 seconds. Try again in 1 second.",
                 *       "code": "too_many_requests",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A request with the same `Idempotency-Key` is still under way. Try again to get its answer. */
        StillRunning: {
            headers: {
                Link: components["headers"]["Help"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:still_running",
                 *       "title": "The first request is still under way",
                 *       "status": 409,
                 *       "detail": "A request with this Idempotency-Key is still under way. Try again to get its answer.",
                 *       "code": "still_running",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is a graph of that name. Nothing was imported. */
        GraphExists: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:graph_exists",
                 *       "title": "The graph exists already",
                 *       "status": 409,
                 *       "detail": "There is a graph demo already. Import under another name, or delete it first.",
                 *       "code": "graph_exists",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is malformed, or what it brings is not a whole export. Nothing was imported; `errors` names the line. */
        BadImport: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:invalid_import",
                 *       "title": "The import is not a whole export",
                 *       "status": 400,
                 *       "detail": "Line 3 is missing: the export is incomplete. Nothing was imported.",
                 *       "code": "invalid_import",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                 *       "errors": [
                 *         {
                 *           "path": "/body/3",
                 *           "message": "is missing: the export is incomplete"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such key among those that the secret may revoke. */
        KeyNotFound: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:key_not_found",
                 *       "title": "No such key",
                 *       "status": 404,
                 *       "detail": "There is no key key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q. GET /v1/keys lists those there are.",
                 *       "code": "key_not_found",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such graph. A graph comes to be with its first event. */
        GraphNotFound: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:graph_not_found",
                 *       "title": "No such graph",
                 *       "status": 404,
                 *       "detail": "There is no graph demo. Record an event in it first.",
                 *       "code": "graph_not_found",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such graph, or no such context in it; `code` tells which. */
        ContextNotFound: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:context_not_found",
                 *       "title": "No such context",
                 *       "status": 404,
                 *       "detail": "The graph has no context skill:react_hooks.",
                 *       "code": "context_not_found",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such graph, or no such memory in it; `code` tells which. */
        MemoryNotFound: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:memory_not_found",
                 *       "title": "No such memory",
                 *       "status": 404,
                 *       "detail": "The graph has no memory mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N.",
                 *       "code": "memory_not_found",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request has an `If-Match` other than `*`. Nothing was done. */
        PreconditionFailed: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:precondition_failed",
                 *       "title": "The precondition does not hold",
                 *       "status": 412,
                 *       "detail": "Tags here are weak and match no If-Match, so nothing was done. Send \"If-Match: *\", or none.",
                 *       "code": "precondition_failed",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body, or the payload of an event, is larger than allowed. Nothing was recorded. */
        ContentTooLarge: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:content_too_large",
                 *       "title": "Too much was sent",
                 *       "status": 413,
                 *       "detail": "The payload has 70112 bytes; at most 65536 are allowed. Split it into several events.",
                 *       "code": "content_too_large",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                 *       "errors": [
                 *         {
                 *           "path": "/body/payload",
                 *           "message": "must have at most 65536 bytes as JSON"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not of the media type that the operation takes, is not in UTF-8, or is compressed. */
        UnsupportedMediaType: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:unsupported_media_type",
                 *       "title": "The body is of another media type",
                 *       "status": 415,
                 *       "detail": "Send the body as JSON in UTF-8 with \"Content-Type: application/json\".",
                 *       "code": "unsupported_media_type",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description A link names a memory that the graph does not hold (`unknown_memory`), or the `Idempotency-Key` was used with another
         *     body or for something that has been erased since (`idempotency_key_reused`). Nothing was recorded.
         */
        Unprocessable: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:unknown_memory",
                 *       "title": "A link leads nowhere",
                 *       "status": 422,
                 *       "detail": "A link names a memory that the graph does not hold.",
                 *       "code": "unknown_memory",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                 *       "errors": [
                 *         {
                 *           "path": "/body/contradicts/0",
                 *           "message": "The graph has no memory mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N."
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Any other failure: `405` with `Allow`, `406` when `Accept` rules out the answer, `408`, `414`, `421` when `Host` is
         *     not a name of the service (`misdirected_request`), `431`, `500`, `503` while the service is stopping, is
         *     overloaded, still opens the graph, or cannot write (with `Retry-After`), `507` when the disk is full
         *     (`storage_full`) or the graph does not fit into the memory of the service (`graph_too_large`).
         */
        Failed: {
            headers: {
                Link: components["headers"]["Help"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:loregraph:problem:storage_unavailable",
                 *       "title": "The store cannot answer now",
                 *       "status": 503,
                 *       "detail": "The store is not available. Try again shortly.",
                 *       "code": "storage_unavailable",
                 *       "request_id": "01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description The graph.
         * @example demo
         */
        GraphInPath: components["schemas"]["GraphId"];
        /**
         * @description The type of the context, in any spelling that folds to it.
         * @example skill
         */
        ContextTypeInPath: components["schemas"]["ContextType"];
        /**
         * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
         * @example react_hooks
         */
        ContextNameInPath: components["schemas"]["ContextName"];
        /**
         * @description The memory, as its `event_id` or `memory_id` was given.
         * @example mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N
         */
        MemoryInPath: components["schemas"]["MemoryId"];
        /**
         * @description Free text to look for in the names and types of contexts. Send it percent-encoded.
         * @example react
         */
        SearchFor: components["schemas"]["SearchQuery"];
        /**
         * @description The page, counted from 0. Decimal digits only.
         * @example 0
         */
        PageNumber: number;
        /**
         * @description The most items on a page. Decimal digits only.
         * @example 100
         */
        PageSize: number;
        /**
         * @description Answer as the graph was then, as if nothing later had been recorded: a time of recording (RFC 3339), a date, which is
         *     the end of that day in UTC, or the place of an event in the order of recording. Before the first event there was no
         *     graph (`404`); a moment in the future is the present.
         * @example 100
         */
        AsOf: components["schemas"]["AsOf"];
        /**
         * @description Answer what is true at this time in the world, past or to come; now, or at `as_of`, if absent. A date is the end of that
         *     day in UTC.
         * @example 2026-03-02
         */
        ValidAt: components["schemas"]["DateOrMoment"];
        /**
         * @description Over how many links to go at most. Decimal digits only.
         * @example 2
         */
        Depth: number;
        /**
         * @description The most contexts to give, this one included. Decimal digits only.
         * @example 100
         */
        MostContexts: number;
        /**
         * @description What is to be done, in words. Send it percent-encoded.
         * @example speed up the tests
         */
        TaskInQuery: components["schemas"]["TaskText"];
        /**
         * @description The most characters to give. Decimal digits only.
         * @example 2000
         */
        MaxChars: number;
        /**
         * @description The key, as its `key_id` was given.
         * @example key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q
         */
        KeyInPath: components["schemas"]["KeyId"];
        /**
         * @description Also revoke every key that was made with it, directly or with keys that it made. `true` or `false`.
         * @example true
         */
        WithDescendants: boolean;
        /**
         * @description Only say what would be erased. `true` or `false`.
         * @example true
         */
        DryRun: boolean;
        /**
         * @description Only statements after this place; 0 for all. Decimal digits only.
         * @example 1
         */
        AfterPlace: number;
        /**
         * @description The last place that was received; only statements after it are sent. It counts more than `after`.
         * @example 1
         */
        LastEventIdHeader: components["schemas"]["LastEventId"];
        /**
         * @description Names this write, so that it can be repeated safely. For 24 hours the same key with the same body gets the first
         *     answer again and nothing is recorded twice; with another body it is refused with `422`, and with `409` while the
         *     first is still under way; and with `422` when something that it recorded has been erased since. It counts for this
         *     graph, this operation and the caller's own key, and is forgotten with the graph.
         * @example 6f1c1f0e-0c0b-4f6e-9d7a-3f6f3b7f1a52
         */
        IdempotencyKeyHeader: components["schemas"]["IdempotencyKey"];
        /**
         * @description Only links of this kind.
         * @example reinforcement
         */
        OnlyKind: components["schemas"]["RelationshipKind"];
        /**
         * @description Only links that this context states (`outgoing`), only links that name it (`incoming`), or both.
         * @example both
         */
        OnlyDirection: components["schemas"]["RelationshipDirectionFilter"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The first, previous, next and last page, as far as there are any (RFC 8288). Where the operation takes `as_of`, they
         *     are of the same moment as this page, and of the same time in the world where it takes `valid_at`.
         * @example </v1/contexts/demo/skill?as_of=100&page=1&page_size=100>; rel="next"
         */
        Link: string;
        /**
         * @description The page about this kind of problem, on the service itself (RFC 8288, `rel="help"`).
         * @example </docs/problems/invalid_request>; rel="help"
         */
        Help: string;
        /**
         * @description Changes exactly when the answer does. Send it back in `If-None-Match`.
         * @example W/"1f-8a7b6c5d4e3f2a1b"
         */
        ETag: string;
        /**
         * @description The request's id, as sent in `X-Request-Id` or made by the service. The log has it too.
         * @example 01KJPZ6C3RS6ACV2ZXG3FQ2E8N
         */
        RequestId: string;
        /**
         * @description In how many seconds to try again.
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description How many requests are left, and in how many seconds there will be more.
         * @example "requests";r=0;t=1
         */
        RateLimit: string;
        /**
         * @description How many requests a key may make, in how many seconds.
         * @example "requests";q=1000;w=10
         */
        RateLimitPolicy: string;
        /**
         * @description How to authenticate (RFC 6750).
         * @example Bearer realm="loregraph"
         */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    browseContexts: {
        parameters: {
            query?: {
                /**
                 * @description Free text to look for in the names and types of contexts. Send it percent-encoded.
                 * @example react
                 */
                q?: components["parameters"]["SearchFor"];
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
                /**
                 * @description Answer as the graph was then, as if nothing later had been recorded: a time of recording (RFC 3339), a date, which is
                 *     the end of that day in UTC, or the place of an event in the order of recording. Before the first event there was no
                 *     graph (`404`); a moment in the future is the present.
                 * @example 100
                 */
                as_of?: components["parameters"]["AsOf"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of context types, or of contexts when `q` was given. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextIndex"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    listContexts: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
                /**
                 * @description Answer as the graph was then, as if nothing later had been recorded: a time of recording (RFC 3339), a date, which is
                 *     the end of that day in UTC, or the place of an event in the order of recording. Before the first event there was no
                 *     graph (`404`); a moment in the future is the present.
                 * @example 100
                 */
                as_of?: components["parameters"]["AsOf"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contexts. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "contexts": [
                     *         {
                     *           "context_id": "skill:react_hooks",
                     *           "context_type": "skill",
                     *           "context_name": "react_hooks",
                     *           "memory_count": 3,
                     *           "updated_at": "2026-03-02T09:30:00.000Z"
                     *         },
                     *         {
                     *           "context_id": "skill:react_performance",
                     *           "context_type": "skill",
                     *           "context_name": "react_performance",
                     *           "memory_count": 1,
                     *           "updated_at": "2026-02-11T16:05:00.000Z"
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": components["schemas"]["ContextList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    getContext: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
                /**
                 * @description Answer as the graph was then, as if nothing later had been recorded: a time of recording (RFC 3339), a date, which is
                 *     the end of that day in UTC, or the place of an event in the order of recording. Before the first event there was no
                 *     graph (`404`); a moment in the future is the present.
                 * @example 100
                 */
                as_of?: components["parameters"]["AsOf"];
                /**
                 * @description Answer what is true at this time in the world, past or to come; now, or at `as_of`, if absent. A date is the end of that
                 *     day in UTC.
                 * @example 2026-03-02
                 */
                valid_at?: components["parameters"]["ValidAt"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The context and a page of its memories. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "context_id": "decision:test_runner",
                     *       "context_type": "decision",
                     *       "context_name": "test_runner",
                     *       "memory_count": 1,
                     *       "created_at": "2026-03-02T09:30:00.000Z",
                     *       "updated_at": "2026-03-02T09:30:00.000Z",
                     *       "memories": [
                     *         {
                     *           "memory_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                     *           "context_id": "decision:test_runner",
                     *           "text": "decision: Use vitest; reason: it runs TypeScript without a build",
                     *           "payload": {
                     *             "decision": "Use vitest",
                     *             "reason": "it runs TypeScript without a build"
                     *           },
                     *           "event_kind": "decision",
                     *           "source": "user",
                     *           "confidence": 0.7,
                     *           "status": "current",
                     *           "occurred_at": "2026-03-02T09:30:00.000Z",
                     *           "recorded_at": "2026-03-02T09:30:00.000Z",
                     *           "place": 12,
                     *           "links": {
                     *             "reinforces": [],
                     *             "extends": [],
                     *             "contradicts": [],
                     *             "related_to": [
                     *               "skill:typescript"
                     *             ]
                     *           },
                     *           "superseded_by": [],
                     *           "supersedes": [],
                     *           "disputed_by": [],
                     *           "times_seen": 1,
                     *           "last_stated_at": "2026-03-02T09:30:00Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": components["schemas"]["ContextDetail"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ContextNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    deleteContext: {
        parameters: {
            query?: {
                /**
                 * @description Only say what would be erased. `true` or `false`.
                 * @example true
                 */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was erased, or would be. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ContextNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    listRelationships: {
        parameters: {
            query?: {
                /**
                 * @description Only links of this kind.
                 * @example reinforcement
                 */
                kind?: components["parameters"]["OnlyKind"];
                /**
                 * @description Only links that this context states (`outgoing`), only links that name it (`incoming`), or both.
                 * @example both
                 */
                direction?: components["parameters"]["OnlyDirection"];
                /**
                 * @description Answer as the graph was then, as if nothing later had been recorded: a time of recording (RFC 3339), a date, which is
                 *     the end of that day in UTC, or the place of an event in the order of recording. Before the first event there was no
                 *     graph (`404`); a moment in the future is the present.
                 * @example 100
                 */
                as_of?: components["parameters"]["AsOf"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links of the context. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "context_id": "skill:react_hooks",
                     *       "relationships": [
                     *         {
                     *           "kind": "reinforcement",
                     *           "direction": "outgoing",
                     *           "context_id": "skill:react_performance",
                     *           "context_type": "skill",
                     *           "context_name": "react_performance",
                     *           "weight": 2,
                     *           "first_seen": "2026-02-11T16:05:00.000Z",
                     *           "last_seen": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["RelationshipList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ContextNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    getNeighbourhood: {
        parameters: {
            query?: {
                /**
                 * @description Over how many links to go at most. Decimal digits only.
                 * @example 2
                 */
                depth?: components["parameters"]["Depth"];
                /**
                 * @description The most contexts to give, this one included. Decimal digits only.
                 * @example 100
                 */
                limit?: components["parameters"]["MostContexts"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The context, those around it, and the links among them. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "context_id": "skill:react_hooks",
                     *       "contexts": [
                     *         {
                     *           "context_id": "skill:react_hooks",
                     *           "context_type": "skill",
                     *           "context_name": "react_hooks",
                     *           "memory_count": 3,
                     *           "distance": 0
                     *         },
                     *         {
                     *           "context_id": "skill:react_performance",
                     *           "context_type": "skill",
                     *           "context_name": "react_performance",
                     *           "memory_count": 1,
                     *           "distance": 1
                     *         }
                     *       ],
                     *       "relationships": [
                     *         {
                     *           "from": "skill:react_hooks",
                     *           "to": "skill:react_performance",
                     *           "kind": "reinforcement",
                     *           "weight": 2,
                     *           "first_seen": "2026-02-11T16:05:00.000Z",
                     *           "last_seen": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "left_out": {
                     *         "contexts": 0,
                     *         "relationships": 0,
                     *         "unexplored": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Neighbourhood"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ContextNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    getContextTimeline: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The type of the context, in any spelling that folds to it.
                 * @example skill
                 */
                context_type: components["parameters"]["ContextTypeInPath"];
                /**
                 * @description The name of the context, percent-encoded as one path segment, in any spelling that folds to it.
                 * @example react_hooks
                 */
                name: components["parameters"]["ContextNameInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the timeline. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "context_id": "contract:flat",
                     *       "timeline": [
                     *         {
                     *           "memory_id": "mem_01KH0C8N2M4YJ7D8T1W5R9XQ3B",
                     *           "field": "rent",
                     *           "text": "950 euros",
                     *           "valid_from": "2023-01-01T00:00:00.000Z",
                     *           "valid_to": "2027-01-01T00:00:00.000Z",
                     *           "by": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                     *           "status": "current"
                     *         },
                     *         {
                     *           "memory_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                     *           "field": "rent",
                     *           "text": "990 euros",
                     *           "valid_from": "2027-01-01T00:00:00.000Z",
                     *           "status": "planned"
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": components["schemas"]["ContextTimeline"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ContextNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    generateInsight: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InsightRequest"];
            };
        };
        responses: {
            /** @description The insight. Its confidence is `low` when nothing recorded answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Insight"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    recallMemories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecallRequest"];
            };
        };
        responses: {
            /** @description The memories found; none is not an error. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecallResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    getMemory: {
        parameters: {
            query?: {
                /**
                 * @description Answer as the graph was then, as if nothing later had been recorded: a time of recording (RFC 3339), a date, which is
                 *     the end of that day in UTC, or the place of an event in the order of recording. Before the first event there was no
                 *     graph (`404`); a moment in the future is the present.
                 * @example 100
                 */
                as_of?: components["parameters"]["AsOf"];
                /**
                 * @description Answer what is true at this time in the world, past or to come; now, or at `as_of`, if absent. A date is the end of that
                 *     day in UTC.
                 * @example 2026-03-02
                 */
                valid_at?: components["parameters"]["ValidAt"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The memory, as its `event_id` or `memory_id` was given.
                 * @example mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N
                 */
                memory_id: components["parameters"]["MemoryInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The memory. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "memory_id": "mem_01KH0C8N2M4YJ7D8T1W5R9XQ3B",
                     *       "context_id": "decision:test_runner",
                     *       "text": "decision: Use jest",
                     *       "payload": {
                     *         "decision": "Use jest"
                     *       },
                     *       "event_kind": "decision",
                     *       "source": "agent",
                     *       "confidence": 0.5,
                     *       "status": "superseded",
                     *       "occurred_at": "2026-01-08T10:00:00.000Z",
                     *       "recorded_at": "2026-01-08T10:00:00.000Z",
                     *       "place": 3,
                     *       "links": {
                     *         "reinforces": [],
                     *         "extends": [],
                     *         "contradicts": [],
                     *         "related_to": []
                     *       },
                     *       "superseded_by": [
                     *         "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                     *       ],
                     *       "supersedes": [],
                     *       "disputed_by": [],
                     *       "times_seen": 1,
                     *       "last_stated_at": "2026-02-02T09:30:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Memory"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["MemoryNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    deleteMemory: {
        parameters: {
            query?: {
                /**
                 * @description Only say what would be erased. `true` or `false`.
                 * @example true
                 */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The memory, as its `event_id` or `memory_id` was given.
                 * @example mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N
                 */
                memory_id: components["parameters"]["MemoryInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was erased, or would be. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["MemoryNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    getMemoryHistory: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
                /**
                 * @description The memory, as its `event_id` or `memory_id` was given.
                 * @example mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N
                 */
                memory_id: components["parameters"]["MemoryInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of statements, what replaced what, and when its claims stand. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "memory_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                     *       "statements": [
                     *         {
                     *           "place": 7,
                     *           "event_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                     *           "own": true,
                     *           "source": "user",
                     *           "recorded_at": "2026-03-02T09:30:00.000Z",
                     *           "occurred_at": "2026-03-02T09:30:00.000Z",
                     *           "links": {
                     *             "reinforces": [],
                     *             "extends": [],
                     *             "contradicts": [
                     *               "decision:test_runner"
                     *             ],
                     *             "related_to": []
                     *           },
                     *           "bears_on": [
                     *             {
                     *               "memory_id": "mem_01KH0C8N2M4YJ7D8T1W5R9XQ3B",
                     *               "context_id": "decision:test_runner",
                     *               "effect": "supersedes"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "supersedes": [
                     *         {
                     *           "memory_id": "mem_01KH0C8N2M4YJ7D8T1W5R9XQ3B",
                     *           "place": 7,
                     *           "recorded_at": "2026-03-02T09:30:00.000Z",
                     *           "source": "user"
                     *         }
                     *       ],
                     *       "superseded_by": [],
                     *       "spells": [
                     *         {
                     *           "valid_from": "2026-03-02T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryHistory"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["MemoryNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    recordEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names this write, so that it can be repeated safely. For 24 hours the same key with the same body gets the first
                 *     answer again and nothing is recorded twice; with another body it is refused with `422`, and with `409` while the
                 *     first is still under way; and with `422` when something that it recorded has been erased since. It counts for this
                 *     graph, this operation and the caller's own key, and is forgotten with the graph.
                 * @example 6f1c1f0e-0c0b-4f6e-9d7a-3f6f3b7f1a52
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /**
             * @description The event was known already, and is one more statement of the same claim; or with `dry_run`, what recording it
             *     would do.
             */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            /** @description The event was recorded. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                     *       "context_id": "decision:test_runner",
                     *       "status": "recorded",
                     *       "place": 12,
                     *       "confidence": 0.7,
                     *       "bears_on": [
                     *         {
                     *           "memory_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8M",
                     *           "context_id": "decision:test_runner",
                     *           "effect": "supersedes",
                     *           "rule": "fields"
                     *         }
                     *       ],
                     *       "similar": [
                     *         {
                     *           "memory_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8K",
                     *           "context_id": "skill:typescript",
                     *           "text": "The test runner needs no build step for TypeScript",
                     *           "likeness": 0.41
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    recordEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Names this write, so that it can be repeated safely. For 24 hours the same key with the same body gets the first
                 *     answer again and nothing is recorded twice; with another body it is refused with `422`, and with `409` while the
                 *     first is still under way; and with `422` when something that it recorded has been erased since. It counts for this
                 *     graph, this operation and the caller's own key, and is forgotten with the graph.
                 * @example 6f1c1f0e-0c0b-4f6e-9d7a-3f6f3b7f1a52
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyHeader"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "graph_id": "demo",
                 *       "events": [
                 *         {
                 *           "event_kind": "observation",
                 *           "context_id": "error:flaky_login_test",
                 *           "source": "executor",
                 *           "payload": {
                 *             "observation": "The login test fails about once in twenty runs"
                 *           }
                 *         },
                 *         {
                 *           "event_kind": "fact",
                 *           "context_id": "skill:test_isolation",
                 *           "payload": {
                 *             "fix": "Reset the session store between tests"
                 *           },
                 *           "extends": [
                 *             "error:flaky_login_test"
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EventBatch"];
            };
        };
        responses: {
            /** @description All events were recorded, or counted as sightings of what was known. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "event_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                     *           "context_id": "error:flaky_login_test",
                     *           "status": "recorded",
                     *           "place": 13,
                     *           "confidence": 0.8,
                     *           "bears_on": []
                     *         },
                     *         {
                     *           "event_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8P",
                     *           "context_id": "skill:test_isolation",
                     *           "status": "recorded",
                     *           "place": 14,
                     *           "confidence": 0.6,
                     *           "bears_on": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedEvents"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["StillRunning"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    listGraphs: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of graphs. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "graphs": [
                     *         {
                     *           "graph_id": "demo"
                     *         },
                     *         {
                     *           "graph_id": "payments",
                     *           "unread": 1200
                     *         }
                     *       ],
                     *       "total": 2,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": components["schemas"]["GraphList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    getGraph: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The graph in numbers. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "graph_id": "demo",
                     *       "memories": 3,
                     *       "contexts": 2,
                     *       "relationships": 1,
                     *       "statements": 4,
                     *       "by_context_type": [
                     *         {
                     *           "context_type": "decision",
                     *           "contexts": 1,
                     *           "memories": 3
                     *         },
                     *         {
                     *           "context_type": "skill",
                     *           "contexts": 1,
                     *           "memories": 0
                     *         }
                     *       ],
                     *       "by_event_kind": {
                     *         "fact": 0,
                     *         "action": 0,
                     *         "decision": 3,
                     *         "observation": 0,
                     *         "feedback": 0
                     *       },
                     *       "by_source": {
                     *         "agent": 1,
                     *         "user": 3,
                     *         "system": 0,
                     *         "validator": 0,
                     *         "executor": 0
                     *       },
                     *       "by_status": {
                     *         "current": 2,
                     *         "superseded": 1,
                     *         "planned": 0,
                     *         "expired": 0,
                     *         "stale": 0
                     *       },
                     *       "more_stale": false,
                     *       "by_month": [
                     *         {
                     *           "month": "2026-02",
                     *           "statements": 1
                     *         },
                     *         {
                     *           "month": "2026-03",
                     *           "statements": 3
                     *         }
                     *       ],
                     *       "first_recorded_at": "2026-02-11T16:05:00.000Z",
                     *       "last_recorded_at": "2026-03-02T09:30:00.000Z",
                     *       "place": 4,
                     *       "unread": 0
                     *     }
                     */
                    "application/json": components["schemas"]["GraphDetail"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    deleteGraph: {
        parameters: {
            query?: {
                /**
                 * @description Only say what would be erased. `true` or `false`.
                 * @example true
                 */
                dry_run?: components["parameters"]["DryRun"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was erased, or would be. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    getBrief: {
        parameters: {
            query?: {
                /**
                 * @description What is to be done, in words. Send it percent-encoded.
                 * @example speed up the tests
                 */
                task?: components["parameters"]["TaskInQuery"];
                /**
                 * @description The most characters to give. Decimal digits only.
                 * @example 2000
                 */
                max_chars?: components["parameters"]["MaxChars"];
                /**
                 * @description Answer what is true at this time in the world, past or to come; now, or at `as_of`, if absent. A date is the end of that
                 *     day in UTC.
                 * @example 2026-03-02
                 */
                valid_at?: components["parameters"]["ValidAt"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The brief. Where there is nothing to tell, it says so. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brief": "## What stands\n- decision: Use vitest; reason: it runs TypeScript without a build (decision:test_runner, recorded 2026-03-02 by user)\n\n## Stale (1)\n- CI runs jest in band because the workers run out of memory (tool:ci, recorded 2026-01-20 by agent); what it builds on in decision:test_runner was replaced\n"
                     *     }
                     */
                    "application/json": components["schemas"]["Brief"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of open contradictions. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "disputes": [
                     *         {
                     *           "since": "2026-03-02T09:30:00.000Z",
                     *           "earlier": {
                     *             "memory_id": "mem_01KH0C8N2M4YJ7D8T1W5R9XQ3B",
                     *             "context_id": "decision:test_runner",
                     *             "text": "decision: Use vitest",
                     *             "payload": {
                     *               "decision": "Use vitest"
                     *             },
                     *             "event_kind": "decision",
                     *             "source": "user",
                     *             "confidence": 0.6,
                     *             "status": "current",
                     *             "place": 10,
                     *             "occurred_at": "2026-02-11T16:05:00.000Z",
                     *             "recorded_at": "2026-02-11T16:05:00.000Z",
                     *             "links": {
                     *               "reinforces": [],
                     *               "extends": [],
                     *               "contradicts": [],
                     *               "related_to": []
                     *             },
                     *             "superseded_by": [],
                     *             "supersedes": [],
                     *             "disputed_by": [
                     *               "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                     *             ],
                     *             "times_seen": 1,
                     *             "last_stated_at": "2026-02-11T16:05:00.000Z"
                     *           },
                     *           "later": {
                     *             "memory_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N",
                     *             "context_id": "decision:test_runner",
                     *             "text": "decision: Use jest",
                     *             "payload": {
                     *               "decision": "Use jest"
                     *             },
                     *             "event_kind": "decision",
                     *             "source": "agent",
                     *             "confidence": 0.5,
                     *             "status": "current",
                     *             "place": 11,
                     *             "occurred_at": "2026-03-02T09:30:00.000Z",
                     *             "recorded_at": "2026-03-02T09:30:00.000Z",
                     *             "links": {
                     *               "reinforces": [],
                     *               "extends": [],
                     *               "contradicts": [
                     *                 "decision:test_runner"
                     *               ],
                     *               "related_to": []
                     *             },
                     *             "superseded_by": [],
                     *             "supersedes": [],
                     *             "disputed_by": [
                     *               "mem_01KH0C8N2M4YJ7D8T1W5R9XQ3B"
                     *             ],
                     *             "times_seen": 1,
                     *             "last_stated_at": "2026-03-02T09:30:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": components["schemas"]["DisputeList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    listStale: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of stale memories. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stale": [
                     *         {
                     *           "memory": {
                     *             "memory_id": "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8P",
                     *             "context_id": "decision:test_runner",
                     *             "text": "decision: Keep one jest configuration for all packages",
                     *             "payload": {
                     *               "decision": "Keep one jest configuration for all packages"
                     *             },
                     *             "event_kind": "decision",
                     *             "source": "agent",
                     *             "confidence": 0.6,
                     *             "status": "stale",
                     *             "place": 12,
                     *             "occurred_at": "2026-02-12T10:00:00.000Z",
                     *             "recorded_at": "2026-02-12T10:00:00.000Z",
                     *             "links": {
                     *               "reinforces": [],
                     *               "extends": [
                     *                 "mem_01KH0C8N2M4YJ7D8T1W5R9XQ3B"
                     *               ],
                     *               "contradicts": [],
                     *               "related_to": []
                     *             },
                     *             "superseded_by": [],
                     *             "supersedes": [],
                     *             "disputed_by": [],
                     *             "times_seen": 1,
                     *             "last_stated_at": "2026-02-12T10:00:00.000Z"
                     *           },
                     *           "because": [
                     *             {
                     *               "memory_id": "mem_01KH0C8N2M4YJ7D8T1W5R9XQ3B",
                     *               "context_id": "decision:test_runner",
                     *               "superseded_by": [
                     *                 "mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N"
                     *               ]
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "more_stale": false
                     *     }
                     */
                    "application/json": components["schemas"]["StaleList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    exportGraph: {
        parameters: {
            query?: {
                /**
                 * @description Answer as the graph was then, as if nothing later had been recorded: a time of recording (RFC 3339), a date, which is
                 *     the end of that day in UTC, or the place of an event in the order of recording. Before the first event there was no
                 *     graph (`404`); a moment in the future is the present.
                 * @example 100
                 */
                as_of?: components["parameters"]["AsOf"];
                /**
                 * @description Only statements after this place; 0 for all. Decimal digits only.
                 * @example 1
                 */
                after?: components["parameters"]["AfterPlace"];
            };
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The graph, a line at a time. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"loregraph":3,"graph_id":"demo","exported_at":"2026-03-02T09:30:00.000Z"}
                     *     {"event_kind":"fact","payload":{"fix":"Reset the session store between tests"},"context_id":"skill:test_isolation","source":"agent","timestamp":"2026-03-02T09:30:00.000Z","memory_id":"mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N","recorded_at":"2026-03-02T09:30:00.000Z","times_seen":1,"place":1}
                     *     {"count":1,"sha256":"1596fb9c53c534324e07e50a259b4589ebbe3e92763de4732429303b16e26828"}
                     */
                    "application/x-ndjson": components["schemas"]["GraphExport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    importGraph: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {"loregraph":3,"graph_id":"demo","exported_at":"2026-03-02T09:30:00.000Z"}
                 *     {"event_kind":"fact","payload":{"fix":"Reset the session store between tests"},"context_id":"skill:test_isolation","source":"agent","timestamp":"2026-03-02T09:30:00.000Z","memory_id":"mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N","recorded_at":"2026-03-02T09:30:00.000Z","times_seen":1,"place":1}
                 *     {"count":1,"sha256":"1596fb9c53c534324e07e50a259b4589ebbe3e92763de4732429303b16e26828"}
                 */
                "application/x-ndjson": components["schemas"]["GraphExport"];
            };
        };
        responses: {
            /** @description The graph was imported. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "graph_id": "restored",
                     *       "events": 1,
                     *       "memories": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedGraph"];
                };
            };
            400: components["responses"]["BadImport"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["GraphExists"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    followGraph: {
        parameters: {
            query?: {
                /**
                 * @description Only statements after this place; 0 for all. Decimal digits only.
                 * @example 1
                 */
                after?: components["parameters"]["AfterPlace"];
            };
            header?: {
                /**
                 * @description The last place that was received; only statements after it are sent. It counts more than `after`.
                 * @example 1
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventIdHeader"];
            };
            path: {
                /**
                 * @description The graph.
                 * @example demo
                 */
                graph_id: components["parameters"]["GraphInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was recorded and what is recorded, a statement at a time. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 1
                     *     event: statement
                     *     data: {"event_kind":"fact","payload":{"fix":"Reset the session store between tests"},"context_id":"skill:test_isolation","source":"agent","timestamp":"2026-03-02T09:30:00.000Z","memory_id":"mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N","recorded_at":"2026-03-02T09:30:00.000Z","times_seen":1,"place":1}
                     *
                     *     event: erased
                     *     data: {"place":1,"memory_id":"mem_01KJPZ6C3RS6ACV2ZXG3FQ2E8N"}
                     */
                    "text/event-stream": components["schemas"]["GraphFeed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["GraphNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /**
                 * @description The page, counted from 0. Decimal digits only.
                 * @example 0
                 */
                page?: components["parameters"]["PageNumber"];
                /**
                 * @description The most items on a page. Decimal digits only.
                 * @example 100
                 */
                page_size?: components["parameters"]["PageSize"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "key_id": "key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q",
                     *           "name": "support agent",
                     *           "scopes": [
                     *             "read",
                     *             "write"
                     *           ],
                     *           "graphs": [
                     *             "support"
                     *           ],
                     *           "created_by": "root",
                     *           "created_at": "2026-03-02T09:30:00.000Z",
                     *           "expires_at": "2027-03-02T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRequest"];
            };
        };
        responses: {
            /** @description The key and its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_id": "key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q",
                     *       "secret": "lore_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh-RJn6K",
                     *       "name": "support agent",
                     *       "scopes": [
                     *         "read",
                     *         "write"
                     *       ],
                     *       "graphs": [
                     *         "support"
                     *       ],
                     *       "sources": [
                     *         "agent"
                     *       ],
                     *       "created_by": "root",
                     *       "created_at": "2026-03-02T09:30:00.000Z",
                     *       "expires_at": "2027-03-02T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    getOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, without its secret. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnKey"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /**
                 * @description Also revoke every key that was made with it, directly or with keys that it made. `true` or `false`.
                 * @example true
                 */
                with_descendants?: components["parameters"]["WithDescendants"];
            };
            header?: never;
            path: {
                /**
                 * @description The key, as its `key_id` was given.
                 * @example key_01KJPZ6C3RS6ACV2ZXG3FQ2E8Q
                 */
                key_id: components["parameters"]["KeyInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key was revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["KeyNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failed"];
        };
    };
}
