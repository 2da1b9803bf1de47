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

/** The links of the contract that a run could follow, by the number that it printed. */
export function linkCount(output: string): number {
  return Number(/API Links:.* (\d+) total/.exec(output)?.[1] ?? Number.NaN)
}

/** The links that a run followed, read from its report in NDJSON. */
export function followedLinks(report: string): readonly string[] {
  return Array.from(report.matchAll(/"transition":\s*\{"id":\s*"([^"]+)"/g), ([, id = '']) => id)
}
