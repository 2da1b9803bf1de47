import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Everything else makes a copy of the repository in which something can be added. */
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'data']
const ID = 'renameContext'
const HANDLERS = 'src/handlers/index.ts'
const HANDLER = 'src/handlers/rename-context.ts'
const TEST = `test/operations/${ID}.test.ts`
const OPERATION = `  /v1/contexts/{graph_id}/{context_type}/{name}/new-name:
    parameters:
      - $ref: '#/components/parameters/GraphInPath'
      - $ref: '#/components/parameters/ContextTypeInPath'
      - $ref: '#/components/parameters/ContextNameInPath'
    put:
      operationId: ${ID}
      tags: [Contexts]
      summary: Give a context another name
      description: A context's memories and links go with it.
      x-required-scope: write
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/RecallRequest' }
            example: { query: "it's a 'new' name", graph_id: demo, context_types: { skill: [react_hooks] } }
      responses:
        '200':
          description: The context under its new name.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/ContextSummary' }
              example: { context_id: 'a:b', context_type: a, context_name: b, memory_count: 0, updated_at: '2026-01-01T00:00:00Z' }
        '401': { $ref: '#/components/responses/Unauthorized' }
        default: { $ref: '#/components/responses/Failed' }

`

let copy = ''
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'loregraph-stub-'))
  for (const name of await readdir(ROOT))
    if (!LEFT_OUT.includes(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  await edit('openapi/openapi.yaml', (yaml) => yaml.replace(/^components:$/m, `${OPERATION}components:`))
  await edit('biome.json', (json) => json.replace(/"vcs": \{.*\},\n/, ''))
})
afterAll(() => rm(copy, { recursive: true, force: true }))

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const before = await readFile(join(copy, file), 'utf8')
  const after = change(before)
  expect(after, file).not.toBe(before)
  await writeFile(join(copy, file), after)
}

/** What a Node.js program of the copy prints, whether it succeeds or not. */
async function run(...args: string[]): Promise<string> {
  const done = promisify(execFile)(process.execPath, args, { cwd: copy }).catch((error) => error)
  const { stdout, stderr } = await done
  return `${stdout}${stderr}`
}

/** What the compiler has to say about these files of the copy. */
function mistakesIn(...files: string[]): string[] {
  const read = ts.readConfigFile(join(copy, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, copy)
  const paths = files.map((file) => join(copy, file))
  const program = ts.createProgram(paths, options)
  return program
    .getSourceFiles()
    .filter(({ fileName }) => paths.includes(fileName))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

test('an operation that the contract has gained: generate, scaffold, add one line, and it answers 501', {
  timeout: 120_000,
}, async () => {
  expect(await run('--import', 'tsx', 'scripts/generate.ts')).toContain('wrote src/contract/generated/api.ts')
  expect(await run('--import', 'tsx', 'scripts/generate-stub.ts', ID)).toContain(
    `Now add ...${ID}Handler() to ${HANDLERS}.`,
  )
  await edit(HANDLERS, (code) =>
    `import { ${ID}Handler } from './rename-context.js'\n${code}`.replace(
      '  } satisfies',
      `    ...${ID}Handler(),\n  } satisfies`,
    ),
  )
  const answers = run('node_modules/vitest/vitest.mjs', 'run', TEST)
  expect(mistakesIn(HANDLERS, HANDLER, TEST)).toEqual([])
  expect(await run('node_modules/@biomejs/biome/bin/biome', 'check', HANDLER, TEST)).toContain('No fixes')
  expect(await answers).toMatch(/Tests .*1 passed/)
})
