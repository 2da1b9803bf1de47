import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../scripts/proof/paths.js'
import { blocksOf } from '../../scripts/readme/blocks.js'
import { MODELS } from '../../src/domain/insight/models.js'
import { memoryText } from '../../src/domain/meaning/memory-text.js'
import { closeness, cosine } from '../../src/domain/meaning/nearness.js'
import { BY_RANK, rankOf } from '../../src/domain/trust/claims/rank.js'
import { openMeaning } from '../../src/service/meaning/open-meaning.js'
import { SILENT } from '../support/silent.js'
import { recordedAgainst } from '../trust-cases/cases.js'

const read = (path: string) => readFile(join(ROOT, path), 'utf8')

/** The texts of a picture, in order. */
async function textsOf(picture: string): Promise<string[]> {
  const svg = await read(`docs/pictures/${picture}.svg`)
  return Array.from(svg.matchAll(/<text[^>]*>([^<]*)</g), ([, text = '']) => text)
}

test('the story is told in three languages, and all of them tell the same', async () => {
  const blocks = blocksOf(await read('docs/story.md'))
  const outputs = blocks.filter(({ language }) => language === 'text').map(({ text }) => text)
  expect(blocks.map(({ language }) => language)).toEqual(expect.arrayContaining(['sh', 'ts', 'python']))
  expect(outputs).toHaveLength(2)
  expect(outputs[0]).toBe(outputs[1])
  const answers = blocks.filter(({ language }) => language === 'json').map(({ text }) => JSON.parse(text))
  for (const { insight, confidence } of answers.filter((answer) => 'insight' in answer))
    expect(outputs[0]).toContain(`${confidence}: ${insight.split('\n')[0]}`)
})

describe('the figures of the pages', () => {
  test('trust: the ranks are those of the code', async () => {
    const rows = Array.from((await read('docs/trust.md')).matchAll(/^\| `(\w+)` \| (0\.\d) \|/gm))
    expect(rows.map(([, source, rank]) => [source, Number(rank)])).toEqual(
      BY_RANK.map((source) => [source, rankOf(source) / 100]),
    )
  })

  test('trust: what is said to become of a record does', async () => {
    const [, table = ''] = (await read('docs/trust.md')).split('| recorded | then, against its context | |\n')
    const rows = Array.from(table.split('\n\n')[0]?.matchAll(/^\| (?!---)(.+) \| (.+) \| (.+) \|$/gm) ?? [])
    const payloadOf = (cell = '') => (cell.startsWith('`') ? JSON.parse(cell.slice(1, -1)) : { text: cell })
    const told: [string, string][] = []
    for (const [, before, then, said = ''] of rows) {
      const { memory, receipt } = await recordedAgainst(payloadOf(before), payloadOf(then))
      const fields = memory.trust.replaced?.map(({ field }) => `\`${field}\``) ?? []
      const whole = memory.trust.status === 'superseded' ? ['it'] : fields
      const asks = receipt.unresolved?.[0]?.candidates[0]?.memoryId === memory.memoryId ? 'asks' : ''
      told.push([said, whole.length > 0 ? `replaces ${whole.join(', ')}` : asks])
    }
    expect(told).toHaveLength(9)
    for (const [said, happened] of told) expect(happened).toBe(said)
  })

  test('trust: the picture shows what the program prints', async () => {
    const [output] = blocksOf(await read('docs/trust.md')).filter(({ language }) => language === 'text')
    const printed = (claim: string) =>
      Array.from(
        output?.text.matchAll(new RegExp(`${claim} is \\w+, (0\\.\\d\\d)`, 'g')) ?? [],
        ([, it]) => it,
      )
    const drawn = (await textsOf('trust')).filter((text) => /^0\.\d\d$/.test(text))
    expect(drawn).toEqual([...printed('A'), ...printed('B')])
  })

  test('confidence: page and picture have the thresholds of the model', async () => {
    const page = await read('docs/confidence.md')
    const { high, medium, nothing } = MODELS.thresholds
    expect(page).toContain(`From ${high} on an answer is high, from ${medium} on medium`)
    expect(page).toContain(`Below ${medium} an answer is low, from there medium, and from ${high} high`)
    expect(page).toContain(`Below ${nothing} the first line is \`Nothing recorded answers this.\``)
    expect(await textsOf('confidence')).toEqual(expect.arrayContaining([String(medium), String(high)]))
  })

  test.each(['confidence', 'quality'])('%s: the page has its measurements', async (name) => {
    expect(/\(figures\)|<!-- figures -->/.test(await read(`docs/${name}.md`))).toBe(false)
  })

  test('README: the figures are those of docs/quality.md', async () => {
    const [readme, quality] = await Promise.all([read('README.md'), read('docs/quality.md')])
    const percent = (share = '') => `${Math.round(100 * Number(share))} %`
    const [, first] = /first line right \| \.\d+ \| (\.\d+)/.exec(quality) ?? []
    const [, right, high] =
      /high: right, on how many \| \.825 on \.34 \| (\.\d+) .* on (\.\d+)/.exec(quality) ?? []
    expect(readme).toContain(`| ${percent(first)} | ${percent(high)} | ${percent(right)} |`)
    const [, aside] = /27 without an answer: first line right .*\| (\.\d+) \(/.exec(quality) ?? []
    const [, asideRight, asideHigh] = /1\.00 on \.14 \| ([01]?\.\d+) .* on (\.\d+)/.exec(quality) ?? []
    expect(readme).toContain(`| ${percent(aside)} | ${percent(asideHigh)} | ${percent(asideRight)} |`)
  })

  test('confidence: the picture shows no measurement that the page does not have', async () => {
    const page = await read('docs/confidence.md')
    const shown = (await textsOf('confidence')).flatMap((text) => text.match(/\d+ (?:%|answers)/g) ?? [])
    expect(shown.filter((figure) => !page.includes(figure.replace(/ answers$/, '')))).toEqual([])
  })

  test('meaning: the picture shows how near the encoder finds them', async () => {
    const meaning = await openMeaning('on', { log: SILENT })
    if (meaning === undefined) throw new Error('Nothing can be read for meaning.')
    try {
      const [batch] = blocksOf(await read('docs/meaning.md')).filter(({ language }) => language === 'sh')
      const { events } = JSON.parse(/-d '([\s\S]*)'/.exec(batch?.text ?? '')?.[1] ?? '')
      const [question = '', ...rows] = await textsOf('meaning')
      const asked = await meaning.vectorOf(question)
      const near: string[] = []
      for (const { context_id, payload } of events) {
        const vector = await meaning.vectorOf(memoryText(context_id, payload))
        const nearness = asked && vector ? closeness(cosine(asked, vector)) : Number.NaN
        near.push(String(Object.values(payload)[0]), nearness.toFixed(2))
      }
      expect(rows.slice(0, near.length)).toEqual(near)
    } finally {
      await meaning.close()
    }
  })
})
