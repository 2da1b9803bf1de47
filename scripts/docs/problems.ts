import { PROBLEMS } from '../../src/http/problems/problems.js'
import { escaped, frame } from './frame.js'
import { toHtml } from './markdown.js'

/** What the page says of one code. */
interface Section {
  readonly code: string
  readonly markdown: string
}

const HEADING = /^## ([a-z_]+)$/m

/** The text before the first code, and the sections, in order. */
export function sectionsOf(markdown: string): {
  readonly intro: string
  readonly sections: readonly Section[]
} {
  const [intro = '', ...rest] = markdown.split(HEADING)
  const sections: Section[] = []
  for (let i = 0; i < rest.length; i += 2)
    sections.push({ code: rest[i] ?? '', markdown: (rest[i + 1] ?? '').trim() })
  return { intro, sections }
}

/** The list of problems, and a page for each, by name. Fails when a code of the table is missing or left over. */
export function problemPages(markdown: string): Map<string, string> {
  const { intro, sections } = sectionsOf(markdown)
  const codes = Object.keys(PROBLEMS)
  const wrong = [
    ...codes
      .filter((code) => sections.every((section) => section.code !== code))
      .map((code) => `${code} is missing`),
    ...sections.filter(({ code }) => !codes.includes(code)).map(({ code }) => `${code} is left over`),
  ]
  if (wrong.length > 0) throw new Error(`docs/problems.md: ${wrong.join(', ')}`)
  const table = Object.entries(PROBLEMS)
  const rows = table.map(
    ([code, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="/docs/problems/${code}"><code>${code.replaceAll('_', '_<wbr>')}</code></a></td><td>${escaped(title)}</td></tr>`,
  )
  const list = `<table><thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>\n`
  const summary = 'Every error of the service: what it means and what to do.'
  const pages = new Map([
    ['problems', frame({ path: '/docs/problems', title: 'Problems', summary, body: toHtml(intro) + list })],
  ])
  for (const [code, { status, title }] of table) {
    const path = `/docs/problems/${code}`
    const text = sections.find((section) => section.code === code)?.markdown ?? ''
    const head = `<p class="crumbs"><a href="/docs/problems">Problems</a></p>\n<h1>${escaped(title)}</h1>\n<p class="lead"><code>${code}</code>, status ${status}</p>\n`
    // The first line says for readers of the file what the heading says here.
    const body = head + toHtml(text.replace(/^.*\n/, ''))
    pages.set(`problems/${code}`, frame({ path, title, summary: `${title} (${code}, ${status}).`, body }))
  }
  return pages
}
