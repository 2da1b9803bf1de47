import { frame } from './frame.js'
import { toHtml } from './markdown.js'

interface Guide {
  /** Of its file in `docs`, of its picture, and in its address. */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** It has a picture, `docs/pictures/<name>.svg`. */
  readonly illustrated?: true
}

/** The pages that people read, in the order of reading. */
export const GUIDES: readonly Guide[] = [
  {
    name: 'story',
    title: 'The story',
    summary: 'Record, relate, ask and correct, with curl, TypeScript and Python.',
    illustrated: true,
  },
  { name: 'tour', title: 'The tour', summary: 'Every kind of call, with curl, and its answer.' },
  {
    name: 'trust',
    title: 'Trust',
    summary: 'Who is believed, and what becomes of what was replaced.',
    illustrated: true,
  },
  {
    name: 'time',
    title: 'Time',
    summary: 'What was true when, and what had been recorded by then.',
    illustrated: true,
  },
  {
    name: 'confidence',
    title: 'Confidence',
    summary: 'How far to rely on an answer, and why.',
    illustrated: true,
  },
  {
    name: 'meaning',
    title: 'Meaning',
    summary: 'How something is found that was said in other words.',
    illustrated: true,
  },
  { name: 'for-agents', title: 'For agents', summary: 'Connect agent hosts by hooks and MCP.' },
  { name: 'cli', title: 'From the terminal', summary: 'The commands of the program.' },
  {
    name: 'operations',
    title: 'Operations',
    summary: 'Settings, containers, backups, upgrades, PostgreSQL and limits.',
  },
]

/** Those that have a picture. */
export const ILLUSTRATED = GUIDES.filter(({ illustrated }) => illustrated)

const PROBLEMS = { path: '/docs/problems', title: 'Problems' }

/** Each page by its name, as HTML; each leads to the next. */
export function guidePages(sources: readonly (readonly [Guide, string])[]): Map<string, string> {
  return new Map(
    sources.map(([{ name, title, summary }, markdown], i) => {
      const after = sources[i + 1]?.[0]
      const next = after === undefined ? PROBLEMS : { path: `/docs/${after.name}`, title: after.title }
      return [name, frame({ path: `/docs/${name}`, title, summary, body: toHtml(markdown), next })] as const
    }),
  )
}
