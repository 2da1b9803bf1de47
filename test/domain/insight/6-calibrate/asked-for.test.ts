import { expect, test } from 'vitest'
import { analyse } from '../../../../src/domain/insight/1-analyse/query.js'
import { lacksWhatIsAsked } from '../../../../src/domain/insight/6-calibrate/asked-for.js'

test.each([
  ['Who stands in for Ilse?', 'Ilse runs the light desk', 'Dario stands in for Ilse'],
  ['When do we ship?', 'We ship from the back door', 'We ship on Mondays'],
  ['How long does the dough rest?', 'The dough rests in the cold room', 'The dough rests 16 hours'],
  [
    'How many rolls does the cafe take?',
    'The cafe takes rolls',
    'The cafe takes forty or, on Fridays, 60 rolls',
  ],
  ['What does the cafe pay per roll?', 'The cafe takes 40 rolls', 'The cafe pays 60 cents a roll'],
  ['Which version of Node runs there?', 'Node runs there since June', 'Node 22.3 runs there'],
])('%s is not answered by "%s", but by "%s"', (question, other, answer) => {
  const query = analyse(question)
  expect(lacksWhatIsAsked(query, other)).toBe(true)
  expect(lacksWhatIsAsked(query, answer)).toBe(false)
})

test('a question that asks for none of these lacks nothing', () => {
  expect(lacksWhatIsAsked(analyse('Why is the oven cold?'), 'The fuse is out')).toBe(false)
})
