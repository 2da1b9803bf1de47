import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files that run whole suites; a machine that has never run them would begin with large files, and end with these. */
const LONGEST = [
  'log/postgres/contract.test.ts',
  'log/postgres/suite.test.ts',
  'log/file/contract.test.ts',
  'contract/examples.test.ts',
  'faults/power-loss.faults.ts',
  'faults/as-of.faults.ts',
  'faults/processes.faults.ts',
  'faults/leaks.faults.ts',
  'faults/slow-clients.faults.ts',
  'faults/order.faults.ts',
  'e2e/meaning-service.e2e.ts',
  'e2e/readme.e2e.ts',
]

const rank = (file: TestSpecification) => {
  const place = LONGEST.findIndex((name) => file.moduleId.endsWith(`/test/${name}`))
  return place === -1 ? LONGEST.length : place
}

/** Begins with what takes longest, so that no worker is left with it alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
