import { expect, test } from 'vitest'
import { lacksWhatIsAsked, mayLackWhatIsAsked } from '../../../../src/domain/insight/asked-for.js'
import { analyse } from '../../../../src/domain/insight/query.js'

test.each([
  ['Who stands in for Ilse?', 'Ilse runs the light desk', 'Dario stands in for Ilse'],
  ['Who stands in for Ilse?', 'Ilse Brandt runs the light desk', 'Ilse Brandt, or Dario'],
  ['How many alerts went out in July?', 'In May 40 alerts went out', 'In May 40, in July 55'],
  ['Who fixed the login test?', 'Resetting the store fixed the login test', 'Ana fixed the login test'],
  ['Who fixed it?', 'It works again. Restart the proxy: that fixed it', 'The proxy was restarted by Ben'],
  ['When did the login test fail?', 'No failure of the login test in 400 runs', 'The login test failed at 9'],
  ['When do we ship?', 'We ship from the back door', 'We ship on Mondays'],
  ['How long does the dough rest?', 'The dough rests in the cold room', 'The dough rests 16 hours'],
  [
    'How many rolls does the cafe take?',
    'The cafe takes rolls',
    'The cafe takes forty or, on Fridays, 60 rolls',
  ],
  ['What does the cafe pay per roll?', 'The cafe takes 40 rolls', 'The cafe pays 60 cents a roll'],
  [
    "What is Mrs Novak's phone number?",
    'Mrs Novak has the spare keys, on floor 2',
    'Mrs Novak, second floor: 040 / 99 88 77',
  ],
  ['Which number do I ring at night?', 'Ring twice at night', 'At night ring 0171 555-0142'],
  ['What is the contract number of the lift?', 'The lift is serviced by Kone', 'Kone, contract K-20331'],
  ['What is the e-mail address of the caretaker?', 'The caretaker is Ana', 'Write to ana@linden.example'],
  ['Who is the tenant of flat 7?', 'The plumber comes on Thursday', 'Flat 7 is let to Jonas Keller'],
  ['What is the dog in flat 3 called?', 'Flat 3 has a dog', 'Flat 3 has a dog, Rex'],
  ['What is the name of the branch?', 'The branch is cut on Friday', 'The branch is release/next'],
  ['Which version of Node runs there?', 'Node runs there since June', 'Node 22.3 runs there'],
  ['How much is the house insurance?', 'Alba, policy 7741-22, within 3 days', 'Alba, 310 euros a year'],
  ['Which version of Node do we run?', 'We run builds 12 times with Node', 'We run Node 22'],
  ['How long does a job wait?', 'A job is tried again after the first hour', 'A job waits an hour'],
  ['How long does the lease run?', 'The lease runs as ever', 'The lease runs to the end of 2027'],
  ['How long does a session last?', 'session: of one user', 'setting: session; minutes: 30'],
])('%s is not answered by "%s", but by "%s"', (question, other, answer) => {
  const query = analyse(question)
  expect(lacksWhatIsAsked(query, other)).toBe(true)
  expect(lacksWhatIsAsked(query, answer)).toBe(false)
})

test.each([
  ['Where are the bins?', 'Bins are collected on Friday morning', 'Bins are behind the shed'],
  ['Where are the builds?', 'Builds are kept for ten days', 'Builds land on share/nightly'],
  ['How do I get a token?', 'The token is rotated every Sunday at 02:00', 'Tokens are handed out by Ana'],
  ['Why does the tap drip?', 'The tap drips; the plumber comes', 'The tap drips because its seal is worn'],
  ['Why is the tap shut?', 'The tap is shut', 'tap: shut; reason: frost'],
  ['How long is the boat?', 'The boat draws 1.9 metres', 'The boat has a length of 12 metres'],
  ['How long is a token valid?', 'Tokens have 32 characteristics', 'Tokens expire after 15 minutes'],
  ['How heavy is the trailer?', 'The trailer is 4 m long', 'The trailer weighs 750 kg'],
  ['How old is the boiler?', 'The boiler has 24 kW', 'The boiler was built in 2011'],
  ['How old is Sam?', "Sam's birthday is on 4 May", 'Sam is 9 years old'],
  ['How long is the timeout?', "The service's timeout is known", 'The timeout is 300 ms'],
  ['How far is the airport?', 'The airport has 2 runways', 'The airport is 35 km from here'],
])('%s may not be answered by "%s", but is by "%s"', (question, other, answer) => {
  const query = analyse(question)
  expect(mayLackWhatIsAsked(query, other)).toBe(true)
  expect(mayLackWhatIsAsked(query, answer)).toBe(false)
})

test('how long something takes must be told by what fits best, if nothing else is asked', () => {
  const [lead, other] = ['The desk waits for our answer', 'The heartbeat is sent every 30 seconds']
  expect(lacksWhatIsAsked(analyse('How long does the desk wait?'), `${lead}\n${other}`, lead)).toBe(true)
  const both = analyse('What does the front desk wait for, and how long does the desk wait?')
  expect(lacksWhatIsAsked(both, `${lead}\n${other}`, lead)).toBe(false)
})

test('a question that asks for none of these lacks nothing', () => {
  expect(lacksWhatIsAsked(analyse('Why is the oven cold?'), 'The fuse is out')).toBe(false)
  expect(lacksWhatIsAsked(analyse('What makes a number of tests fail?'), 'A full disk')).toBe(false)
  expect(lacksWhatIsAsked(analyse('How is the hook called from a host?'), 'by posting to it')).toBe(false)
  expect(lacksWhatIsAsked(analyse('Which phones do we support?'), 'Those with Android')).toBe(false)
})

test('what has a form of its own need not be told by its word', () => {
  expect(analyse("What is Ana's email address?").things).toEqual([])
  expect(analyse("What is Ana's phone number?").things).toEqual([])
  expect(analyse("What is Ana's birthday?").things).toEqual([['birthdai']])
})
