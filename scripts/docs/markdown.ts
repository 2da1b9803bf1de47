import { Marked, type Tokens } from 'marked'
import { escaped } from './frame.js'

const LABELS: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  json: 'Answer',
  text: 'Output',
}
/** Where something of the repository is served. */
const SERVED: Readonly<Record<string, string>> = {
  '../openapi/openapi.yaml': '/openapi.yaml',
  '../README.md': '/docs',
}
/** What a page may name though it is only in the repository: shown as text. */
const NOT_SERVED = new Set(['../plugins/AGENTS.md'])

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens)
      return `<h${depth} id="${idOf(html)}">${html}</h${depth}>\n`
    },
    code({ text, lang = '' }) {
      const label = lang === 'sh' && text.startsWith('curl ') ? 'curl' : LABELS[lang]
      const name = label === undefined ? '' : `<p class="label">${label}</p>`
      return `<div class="sample">${name}<pre><code>${escaped(text)}</code></pre></div>\n`
    },
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
      const rows = token.rows.map((cells) => row(cells, 'td')).join('\n')
      return `<table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table>\n`
    },
    paragraph({ tokens }) {
      const html = this.parser.parseInline(tokens)
      return html.startsWith('<img') ? `<figure>${html}</figure>\n` : `<p>${html}</p>\n`
    },
    image({ href, text }) {
      return `<img src="${servedAt(href)}" alt="${escaped(text)}">`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return NOT_SERVED.has(href) ? text : `<a href="${servedAt(href)}">${text}</a>`
    },
    html({ text }) {
      throw new Error(`The pages are Markdown without HTML: ${text}`)
    },
  },
})

/** The Markdown of a page as HTML, its links as the service serves them. */
export function toHtml(markdown: string): string {
  return marked.parse(markdown, { async: false })
}

/** `trust.md` → `/docs/trust`, `problems.md#not_found` → `/docs/problems/not_found`, `pictures/a.svg` → `/docs/pictures/a.svg`. */
export function servedAt(href: string): string {
  if (/^(?:https?:|#|\/)/.test(href)) return href
  const served = SERVED[href]
  if (served !== undefined) return served
  const [, name, anchor = ''] = /^([\w/-]+(?:\.svg)?)(?:\.md)?(#[\w-]+)?$/.exec(href) ?? []
  if (name === undefined) throw new Error(`No page of the service is at ${href}.`)
  return name === 'problems' && anchor !== '' ? `/docs/problems/${anchor.slice(1)}` : `/docs/${name}${anchor}`
}

function idOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>|&\w+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\w ]/g, '')
    .trim()
    .replaceAll(' ', '-')
}
