import { lastPage } from '../../domain/page.js'

interface PagedBody {
  readonly total: number
  readonly page: number
  readonly page_size: number
}

export function isPaged(body: unknown): body is PagedBody {
  return typeof body === 'object' && body !== null && 'page_size' in body && 'page' in body && 'total' in body
}

/** The `Link` header of a page (RFC 8288): first and last, and prev and next where they exist. */
export function pageLinks(path: string, query: Readonly<Record<string, unknown>>, body: PagedBody): string {
  const { total, page, page_size: size } = body
  const last = lastPage(total, size)
  let base = `<${path.replace(/[<>"]/g, encodeURIComponent)}?`
  for (const name in query)
    if (name !== 'page' && name !== 'page_size') base += `${name}=${encodeURIComponent(String(query[name]))}&`
  const link = (rel: string, to: number) => `${base}page=${to}&page_size=${size}>; rel="${rel}"`
  let links = link('first', 0)
  if (page > 0) links += `, ${link('prev', Math.min(page - 1, last))}`
  if (page < last) links += `, ${link('next', page + 1)}`
  return `${links}, ${link('last', last)}`
}
