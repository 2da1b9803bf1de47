export function pathOf(target: string): string {
  const query = target.indexOf('?')
  return query < 0 ? target : target.slice(0, query)
}

/** The mistake in percent-encoded text; undefined when it is valid. */
export function encodingMistake(text: string): string | undefined {
  try {
    if (decodeURIComponent(text).includes('\0')) return 'must not hold a NUL character'
  } catch {
    return 'must be percent-encoded UTF-8'
  }
  return undefined
}
