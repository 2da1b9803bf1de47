/**
 * A key as one step of a JSON pointer (RFC 6901).
 *
 * ```ts
 * `/body/payload/${pointerStep('a/b')}` // '/body/payload/a~1b'
 * ```
 */
export function pointerStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The keys that a JSON pointer leads through. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
