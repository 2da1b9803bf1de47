/** All items of a list that is given a page at a time. */
export async function every<T>(
  pageOf: (page: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>,
): Promise<readonly T[]> {
  const all: T[] = []
  for (let page = 0; ; page++) {
    const { items, total } = await pageOf(page)
    all.push(...items)
    if (items.length === 0 || all.length >= total) return all
  }
}
