import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { toContext, toErase, toMemory } from '../state/route.js'
import type { Lane } from '../state/timeline.js'
import type { Memory, MemoryStatement, StaleMemory } from '../state/types.js'
import { count, shortened, standing } from '../state/words.js'
import { Status, Trust, When } from './marks.js'
import { MemoryBody } from './memory-body.js'

interface ClaimProps {
  readonly graph: string
  readonly lane: Lane
  /** The texts of memories that are shown on the same page, for words in links to them. */
  readonly texts: ReadonlyMap<string, string>
  readonly because?: StaleMemory['because'] | undefined
  readonly isFocused: boolean
  readonly mayErase: boolean
}

/** A claim of the timeline: what it says, who says so, how far to trust it, and what became of it. */
export function Claim({ graph, lane, texts, because, isFocused, mayErase }: ClaimProps) {
  const { memory, statements } = lane
  const [isOpen, setOpen] = useState(false)
  const status = standing(memory)
  const said = statements.length || memory.times_seen
  return (
    <article
      class={`claim tone-${status}${isFocused ? ' claim-focused' : ''}`}
      id={memory.memory_id}
      tabIndex={-1}
    >
      <MemoryBody memory={memory} />
      <p class="meta">
        <Status status={status} />
        <span>
          {memory.event_kind} by {memory.source}
        </span>
        <When at={memory.occurred_at} />
        <Trust value={memory.confidence} />
      </p>
      <Fate graph={graph} lane={lane} texts={texts} because={because} />
      <p class="row small">
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {count(said, 'statement')}
        </button>
        {mayErase && <a href={toErase(graph, { memory: memory.memory_id })}>Erase …</a>}
      </p>
      {isOpen && <Statements graph={graph} memory={memory} statements={statements} />}
    </article>
  )
}

type FateProps = Pick<ClaimProps, 'graph' | 'lane' | 'texts' | 'because'>

/** What replaced it, what speaks against it, what it builds on that is gone, until when it held. */
function Fate({ graph, lane: { memory }, texts, because }: FateProps) {
  const to = (id: string): ComponentChildren => {
    const text = texts.get(id)
    return (
      <a key={id} href={text === undefined ? toMemory(graph, id) : toContext(graph, memory.context_id, id)}>
        {text === undefined ? 'another memory' : `“${shortened(text, 60)}”`}
      </a>
    )
  }
  return (
    <>
      {memory.superseded_by.length > 0 && (
        <p class="fate">Replaced by {listed(memory.superseded_by.map(to))}</p>
      )}
      {memory.replaced !== undefined && (
        <p class="fate">
          {listed(
            memory.replaced.map(({ field, by }) => (
              <span key={field}>
                {field} is that of {to(by)}
              </span>
            )),
          )}
        </p>
      )}
      {memory.supersedes.length > 0 && <p class="fate">Replaces {listed(memory.supersedes.map(to))}</p>}
      {memory.disputed_by.length > 0 && (
        <p class="fate tone-disputed">In open contradiction with {listed(memory.disputed_by.map(to))}</p>
      )}
      {memory.status === 'stale' && (
        <p class="fate tone-stale">
          Stale, because it builds on{' '}
          {because === undefined || because.length === 0
            ? 'something that was replaced'
            : listed(
                because.map(({ memory_id, context_id }) => (
                  <a key={memory_id} href={toContext(graph, context_id, memory_id)}>
                    {texts.has(memory_id) ? `“${shortened(texts.get(memory_id) ?? '', 60)}”` : context_id}
                  </a>
                )),
              )}
          {because !== undefined && because.length > 0 && ', which was replaced'}
        </p>
      )}
      {(memory.status === 'planned' || memory.valid_from !== undefined) && (
        <p class="fate">
          {memory.status === 'planned' ? 'Will hold from ' : 'Holds from '}
          <When at={memory.valid_from ?? memory.occurred_at} />
        </p>
      )}
      {memory.valid_until !== undefined && (
        <p class="fate">
          {memory.status === 'expired' ? 'Held until ' : 'Holds until '}
          <When at={memory.valid_until} />
        </p>
      )}
    </>
  )
}

function listed(items: readonly ComponentChildren[]): ComponentChildren {
  return items.flatMap((item, index) =>
    index === 0 ? [item] : [index === items.length - 1 ? ' and ' : ', ', item],
  )
}

interface StatementsProps {
  readonly graph: string
  readonly memory: Memory
  readonly statements: readonly MemoryStatement[]
}

const DID = {
  supersedes: 'replaced',
  disputes: 'contradicted',
  reinforces: 'confirmed',
  extends: 'built on',
  late: 'came before',
  noted: 'was noted beside',
} as const

/** Every event that states a memory: who, when, and what it did to others. */
function Statements({ graph, memory, statements }: StatementsProps) {
  if (statements.length === 0) return <p class="loading small">Loading its statements …</p>
  return (
    <ol class="statements muted small">
      {statements.map(({ place, own, event_id, source, occurred_at, bears_on }) => (
        <li key={`${place} ${event_id}`}>
          <When at={occurred_at} />{' '}
          {own ? (
            <span>
              {place === memory.place ? 'first said' : 'said again'} by {source}
            </span>
          ) : (
            <span>
              confirmed by {source} with <a href={toMemory(graph, event_id)}>another memory</a>
            </span>
          )}
          {bears_on
            .filter((bearing) => bearing.memory_id !== memory.memory_id)
            .map((bearing) => (
              <span key={`${bearing.memory_id} ${bearing.effect}`}>
                {'; '}
                {DID[bearing.effect]}{' '}
                <a href={toContext(graph, bearing.context_id, bearing.memory_id)}>
                  a memory of {bearing.context_id}
                </a>
              </span>
            ))}
          <span class="place"> · place {place}</span>
        </li>
      ))}
    </ol>
  )
}
