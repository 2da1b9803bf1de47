/** A page asked for: 0-based. */
export interface Paging {
  readonly page: number
  readonly pageSize: number
}

/** A page given: `total` counts all results, not those of this page. */
export interface Page<T> extends Paging {
  readonly items: readonly T[]
  readonly total: number
}

/** Cuts one page out of a whole list; a page past the end is empty. */
export function pageOf<T>(all: readonly T[], paging: Paging): Page<T> {
  const start = paging.page * paging.pageSize
  return { items: all.slice(start, start + paging.pageSize), total: all.length, ...paging }
}

/** The last page that holds something; page 0 of an empty list. */
export function lastPage(total: number, pageSize: number): number {
  return Math.max(0, Math.ceil(total / pageSize) - 1)
}
