import { type Handlers, ok } from '../contract/operations.js'
import { type Known, MAX_TOLD, writeBrief } from '../domain/brief/brief.js'
import { find } from '../domain/insight/find.js'
import { worthwhile } from '../domain/insight/rank.js'
import type { Ask, PresentReader, Store } from '../store/store.js'
import { type AnswerPorts, engineFor, textEmbedder } from './asking.js'
import { toValidAt } from './wire.js'

const PAGE = { page: 0, pageSize: MAX_TOLD }

export function briefHandlers(store: Store, engine: AnswerPorts) {
  const embed = textEmbedder(store, engine)
  return {
    async getBrief({ path: { graph_id }, query: { task, max_chars, valid_at } }, caller) {
      const validAt = toValidAt(valid_at, '/query/valid_at')
      const vector = task === undefined ? undefined : await embed.question(graph_id, task)
      const lookUp: Ask<PresentReader, Known> = async (graph, pause) => {
        const found =
          task === undefined
            ? undefined
            : await find(graph, engineFor(engine, caller, pause), {
                text: task,
                limit: MAX_TOLD,
                scope: undefined,
                ...(vector && { vector }),
              })
        return {
          relevant: found && worthwhile(found.ranked, MAX_TOLD).map(({ memory }) => memory),
          ...(await graph.highlights(MAX_TOLD, pause)),
          disputes: await graph.disputes(PAGE, pause),
          stale: await graph.stale(PAGE, pause),
        }
      }
      const content = await store.read(graph_id, lookUp, validAt)
      return ok({ brief: writeBrief(content, max_chars) })
    },
  } satisfies Pick<Handlers, 'getBrief'>
}
