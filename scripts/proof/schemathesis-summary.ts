const FEWEST_CASES = 2000
const PHASES = ['Examples', 'Coverage', 'Fuzzing', 'Stateful']

/** What keeps a run of Schemathesis from being a proof, read from what it printed. */
export function shortcomings(code: number, output: string): readonly string[] {
  const summary = output.slice(output.lastIndexOf('SUMMARY'))
  const [, cases = '0'] = /(\d+) generated/.exec(summary) ?? []
  const [, covered = 'no', selected = 'some', declared = 'all'] =
    /API Links:\s+(\d+) covered \/ (\d+) selected \/ (\d+) total/.exec(output) ?? []
  const [, tested = 'none', all = 'all'] = /Selected: (\d+)\/(\d+)/.exec(summary) ?? []
  return [
    ...(code === 0 ? [] : [`it ended with ${code}`]),
    ...PHASES.filter((phase) => !summary.includes(`✅ ${phase}`)).map(
      (phase) => `the phase ${phase} did not pass`,
    ),
    ...(tested === all ? [] : [`${tested} of ${all} operations were tested`]),
    ...(covered === selected && selected === declared
      ? []
      : [`${covered} of ${declared} links were covered`]),
    ...(Number(cases) >= FEWEST_CASES ? [] : [`${cases} cases are too few, ${FEWEST_CASES} are wanted`]),
    ...(/warning/i.test(summary) ? ['there are warnings'] : []),
  ]
}
