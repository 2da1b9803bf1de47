import { expect, test } from 'vitest'
import { toJunit } from '../../../src/cli/commands/eval.js'

test('every case, escaped; what failed with why and what was told', () => {
  const one = { graph: 'g', must: [], mustNot: [], confidence: [], limit: 5 }
  const results = [
    { case: { ...one, ask: 'Is 1 < 2 & "so"?' }, confidence: 'high', insight: 'yes', wrong: [] },
    {
      case: { ...one, ask: 'Why?' },
      confidence: 'low',
      insight: 'a\u0000<b>\n🦊',
      wrong: ['"x" is missing', 'y'],
    },
  ]
  expect(toJunit('a&b.yaml', results)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="loregraph eval" tests="2" failures="1">
  <testsuite name="a&amp;b.yaml" tests="2" failures="1">
    <testcase classname="g" name="Is 1 &lt; 2 &amp; &quot;so&quot;?"/>
    <testcase classname="g" name="Why?">
      <failure message="&quot;x&quot; is missing; y">a\ufffd&lt;b&gt;
🦊</failure>
    </testcase>
  </testsuite>
</testsuites>
`)
})
