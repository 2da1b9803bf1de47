import type { Page, Paging } from '../domain/page.js'

export function toPaging(query: { readonly page: number; readonly page_size: number }): Paging {
  return { page: query.page, pageSize: query.page_size }
}

export function envelope({ total, page, pageSize }: Page<unknown>) {
  return { total, page, page_size: pageSize }
}
