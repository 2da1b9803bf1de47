// Written by `npm run generate` from openapi/openapi.yaml. Do not edit.
import type { Operation } from '../contract.js'
import type { operations } from './api.js'

/** Every operation of the contract, in its order. */
export const operationTable = {
  browseContexts: {"id":"browseContexts","method":"GET","path":"/v1/contexts/{graph_id}","scope":"read","graphIn":"path","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"q":"string","page":"integer","page_size":"integer","as_of":"string"},"defaults":["query/page","query/page_size"]},
  listContexts: {"id":"listContexts","method":"GET","path":"/v1/contexts/{graph_id}/{context_type}","scope":"read","graphIn":"path","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"page":"integer","page_size":"integer","as_of":"string"},"defaults":["query/page","query/page_size"]},
  getContext: {"id":"getContext","method":"GET","path":"/v1/contexts/{graph_id}/{context_type}/{name}","scope":"read","graphIn":"path","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"page":"integer","page_size":"integer","as_of":"string"},"defaults":["query/page","query/page_size"]},
  deleteContext: {"id":"deleteContext","method":"DELETE","path":"/v1/contexts/{graph_id}/{context_type}/{name}","scope":"write","graphIn":"path","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"dry_run":"boolean"},"defaults":["query/dry_run"]},
  listRelationships: {"id":"listRelationships","method":"GET","path":"/v1/contexts/{graph_id}/{context_type}/{name}/relationships","scope":"read","graphIn":"path","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"kind":"string","direction":"string","as_of":"string"},"defaults":["query/direction"]},
  generateInsight: {"id":"generateInsight","method":"POST","path":"/v1/memories/insights","scope":"read","graphIn":"body","produces":["application/json"],"consumes":["application/json"],"maxBodyBytes":1048576,"query":{},"defaults":["body/limit","body/explain"]},
  recallMemories: {"id":"recallMemories","method":"POST","path":"/v1/memories","scope":"read","graphIn":"body","produces":["application/json"],"consumes":["application/json"],"maxBodyBytes":1048576,"query":{},"defaults":["body/limit","body/format"]},
  getMemory: {"id":"getMemory","method":"GET","path":"/v1/memories/{graph_id}/{memory_id}","scope":"read","graphIn":"path","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"as_of":"string"},"defaults":[]},
  deleteMemory: {"id":"deleteMemory","method":"DELETE","path":"/v1/memories/{graph_id}/{memory_id}","scope":"write","graphIn":"path","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"dry_run":"boolean"},"defaults":["query/dry_run"]},
  recordEvent: {"id":"recordEvent","method":"POST","path":"/v1/events","scope":"write","graphIn":"body","produces":["application/json"],"consumes":["application/json"],"maxBodyBytes":1048576,"query":{},"defaults":[]},
  recordEvents: {"id":"recordEvents","method":"POST","path":"/v1/events/batch","scope":"write","graphIn":"body","produces":["application/json"],"consumes":["application/json"],"maxBodyBytes":16777216,"query":{},"defaults":[]},
  listGraphs: {"id":"listGraphs","method":"GET","path":"/v1/graphs","scope":"read","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"page":"integer","page_size":"integer"},"defaults":["query/page","query/page_size"]},
  deleteGraph: {"id":"deleteGraph","method":"DELETE","path":"/v1/graphs/{graph_id}","scope":"admin","graphIn":"path","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"dry_run":"boolean"},"defaults":["query/dry_run"]},
  exportGraph: {"id":"exportGraph","method":"GET","path":"/v1/graphs/{graph_id}/events","scope":"read","graphIn":"path","produces":["application/x-ndjson"],"consumes":[],"maxBodyBytes":1048576,"query":{"as_of":"string","after":"integer"},"defaults":[]},
  importGraph: {"id":"importGraph","method":"POST","path":"/v1/graphs/{graph_id}/events","scope":"write","graphIn":"path","produces":["application/json"],"consumes":["application/x-ndjson"],"maxBodyBytes":17179869184,"query":{},"defaults":[]},
  followGraph: {"id":"followGraph","method":"GET","path":"/v1/graphs/{graph_id}/feed","scope":"read","graphIn":"path","produces":["text/event-stream"],"consumes":[],"maxBodyBytes":1048576,"query":{"after":"integer"},"defaults":[]},
  listKeys: {"id":"listKeys","method":"GET","path":"/v1/keys","scope":"admin","produces":["application/json"],"consumes":[],"maxBodyBytes":1048576,"query":{"page":"integer","page_size":"integer"},"defaults":["query/page","query/page_size"]},
  createKey: {"id":"createKey","method":"POST","path":"/v1/keys","scope":"admin","produces":["application/json"],"consumes":["application/json"],"maxBodyBytes":1048576,"query":{},"defaults":[]},
  revokeKey: {"id":"revokeKey","method":"DELETE","path":"/v1/keys/{key_id}","scope":"admin","produces":[],"consumes":[],"maxBodyBytes":1048576,"query":{},"defaults":[]},
} as const satisfies { readonly [Id in keyof operations]: Operation & { readonly id: Id } }
