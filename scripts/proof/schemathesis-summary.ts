import { parse } from 'yaml'

export const FEWEST_CASES = 2000
/** Operations that test/schemathesis/schemathesis.toml leaves out: `followGraph`, which has no end. */
const LEFT_OUT = 1
const PHASES = ['Examples', 'Coverage', 'Fuzzing', 'Stateful']

/** What keeps a run of Schemathesis from being a proof, read from what it printed. */
export function shortcomings(code: number, output: string): readonly string[] {
  const summary = output.slice(output.lastIndexOf('SUMMARY'))
  const [, cases = '0'] = /(\d+) generated/.exec(summary) ?? []
  const [, tested = 'none', all = 'all'] = /Selected: (\d+)\/(\d+)/.exec(summary) ?? []
  const wanted = Number(all) - LEFT_OUT
  return [
    ...(code === 0 ? [] : [`it ended with ${code}`]),
    ...PHASES.filter((phase) => !summary.includes(`✅ ${phase}`)).map(
      (phase) => `the phase ${phase} did not pass`,
    ),
    ...(Number(tested) === wanted ? [] : [`${tested} of ${wanted} operations were tested`]),
    ...(Number(cases) >= FEWEST_CASES ? [] : [`${cases} cases are too few, ${FEWEST_CASES} are wanted`]),
    ...(/warning/i.test(summary) ? ['there are warnings'] : []),
  ]
}

/** Of a run with few operations only what a check found counts: it may come to a point from which none of them leads on, which is called an error. */
export function failures(output: string): readonly string[] {
  return /^=+ FAILURES =+$/m.test(output) ? ['a check failed'] : []
}

/** Both ends of a link, named as Schemathesis names it: `POST /v1/keys -> [201] revokeThisKey -> DELETE /v1/keys/{key_id}`. */
export function ends(link: string): readonly string[] {
  const [from = '', , to = ''] = link.split(' -> ')
  return [from, to]
}

/** Every link that the contract declares, by the name that Schemathesis has for it. */
export function declaredLinks(contract: string): readonly string[] {
  const { paths, components } = parse(contract) as Contract
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.responses === undefined ? [] : [{ label: `${method.toUpperCase()} ${path}`, ...operation }],
    ),
  )
  const labelOf = (operationId: string | undefined) =>
    operations.find((operation) => operation.operationId === operationId)?.label ?? 'no such operation'
  return operations.flatMap(({ label, responses = {} }) =>
    Object.entries(responses).flatMap(([status, { links = {} }]) =>
      Object.entries(links).map(([name, { $ref, operationId }]) => {
        const target =
          $ref === undefined ? operationId : components.links[$ref.split('/').at(-1) ?? '']?.operationId
        return `${label} -> [${status}] ${name} -> ${labelOf(target)}`
      }),
    ),
  )
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly links: Readonly<Record<string, Link>> }
}

interface Operation {
  readonly operationId?: string
  readonly responses?: Readonly<Record<string, { readonly links?: Readonly<Record<string, Link>> }>>
}

interface Link {
  readonly $ref?: string
  readonly operationId?: string
}

/** The links that a run followed, read from its report in NDJSON. */
export function followedLinks(report: string): readonly string[] {
  return Array.from(report.matchAll(/"transition":\s*\{"id":\s*"([^"]+)"/g), ([, id = '']) => id)
}
