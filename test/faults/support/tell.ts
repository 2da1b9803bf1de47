import { TestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** What the test counted; a run at full length puts it into RELIABILITY.md. */
    figures?: string[]
  }
}

/** Says what the test that is running has counted, on the screen and in the report. */
export function tell(row: string, figure: string): void {
  console.log(`${row}: ${figure}`)
  const test = TestRunner.getCurrentTest()
  if (test !== undefined) test.meta.figures = [...(test.meta.figures ?? []), figure]
}
