import type { NewMemory } from '../../src/domain/model.js'
import { createRandom } from '../../test/support/random.js'

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu'.split(' ')
const TYPES = ['skill', 'tool', 'decision', 'api', 'person', 'service', 'bug', 'project']
const VOCABULARY = 20_000
const MEMORIES_PER_CONTEXT = 10
/** With these an event is about 400 bytes long once it is written down. */
const WORDS = 27

/** Events like those that agents record: common words far more often than rare ones, ten to a context, one in ten with a link. */
export function createEvents(seed: number, wordsEach = WORDS): (index: number) => NewMemory {
  const random = createRandom(seed)
  const words = Array.from({ length: VOCABULARY }, () => wordOf(random))
  const word = () => words[Math.floor(words.length * random() ** 4)] ?? ''
  return (index) => {
    const place = Math.floor(random() * (index / MEMORIES_PER_CONTEXT + 1))
    const text = [`note ${index}`, ...Array.from({ length: wordsEach }, word)].join(' ')
    const target = () => nameOf(Math.floor(random() * (place + 1)), words)
    return {
      contextId: nameOf(place, words),
      eventKind: 'fact',
      source: 'agent',
      payload: { text },
      links: random() < 0.1 ? [{ kind: 'extension', target: target() }] : [],
    }
  }
}

/** The id of the context with that number. */
function nameOf(place: number, words: readonly string[]): string {
  const type = TYPES[place % TYPES.length] ?? 'skill'
  return `${type}:${words[(place * 7919) % words.length]}_${words[(place * 104_729) % words.length]}_${place}`
}

function wordOf(random: () => number): string {
  return Array.from(
    { length: 2 + Math.floor(random() * 3) },
    () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? '',
  ).join('')
}
