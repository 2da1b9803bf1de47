/** Runs the tests that a `Lane` asks for, in the copy of the project that is its folder. */
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createVitest } from 'vitest/node'
import type { Asked, Said } from './lane.js'

const copy = process.cwd()
const failed: string[] = []
let interrupted = false

const vitest = await createVitest('test', {
  root: copy,
  watch: false,
  // Each run has its own modules, so that no bug outlives the file that it was planted in.
  isolate: true,
  bail: 1,
  setupFiles: ['scripts/mutants/unshrunk.ts'],
  reporters: [
    {
      onTestCaseResult(test) {
        if (test.result().state === 'failed') failed.push(test.fullName)
      },
      onTestRunEnd(_modules, _errors, reason) {
        interrupted = reason === 'interrupted'
      },
    },
  ],
})
await vitest.standalone()

process.on('message', async (asked: Asked) => process.send?.(await answer(asked)))
process.once('disconnect', () => vitest.exit())

/** What was compiled of the file with the bug is used for this bug alone. */
async function answer(asked: Asked): Promise<Said> {
  const planted = join(copy, asked.file)
  vitest.invalidateFile(planted)
  try {
    return await outcome(asked)
  } finally {
    vitest.invalidateFile(planted)
  }
}

async function outcome({ tests, title }: Asked): Promise<Said> {
  failed.length = 0
  const project = vitest.getRootProject()
  const options = title === undefined ? {} : { testNamePattern: new RegExp(title) }
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    tests.map((test) => project.createSpecification(join(copy, test), options)),
  )
  // The first failure ends all else, at times before it is told which one it was.
  if (failed.length > 0 || interrupted) return { by: failed[0] ?? `one of ${tests.join(', ')}` }
  const errors = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())]
  return errors.length === 0 ? {} : { error: inspect(errors) }
}
