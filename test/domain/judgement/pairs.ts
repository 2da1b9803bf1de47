import type { JsonObject } from '../../../src/domain/model.js'

/** A sentence, or a payload with fields of its own. */
export type Said = string | JsonObject
export type Pairs = readonly (readonly [Said, Said])[]

/** The same thing with another value, another state, or denied: one may replace the other, and they do not agree. */
export const CHANGED: Pairs = [
  ['The order service stores its data in MySQL', 'The order service stores its data in PostgreSQL'],
  ['The order service stores its data in PostgreSQL', 'The order service now stores its data in CockroachDB'],
  ['We use MySQL for the orders database', 'We use PostgreSQL for the orders database'],
  ['The current release is v1', 'The current release is v2'],
  ['The current release is v5', 'The current release is v6'],
  ['Latest release of the app: 1.4.0', 'Latest release of the app: 1.5.0'],
  ['The payment service is up', 'The payment service is down'],
  ['The payment service is down', 'The payment service is up again'],
  ['The API listens on port 8080', 'The API listens on port 9090'],
  [{ retries: 3 }, { retries: 5 }],
  [{ retries: 3, timeout_s: 30 }, { retries: 5 }],
  [
    { service: 'mailer', retries: 3 },
    { service: 'mailer', retries: 5 },
  ],
  [
    { task: 'write the report', status: 'todo' },
    { task: 'write the report', status: 'doing' },
  ],
  [
    { task: 'write the report', status: 'doing' },
    { task: 'write the report', status: 'done' },
  ],
  ['Task 12 is todo', 'Task 12 is done'],
  ['Dark mode is enabled', 'Dark mode is disabled'],
  [
    { command: 'npm test', result: '3 failed' },
    { command: 'npm test', result: 'all passed' },
  ],
  ['Anna works in the Hamburg office', 'Anna works in the Berlin office'],
  ["Anna's office is in Hamburg", "Anna's office is in Munich"],
  ["Anna's new office is in Hamburg", "Anna's office is in Munich"],
  ['Das Büro von Anna liegt im 2. Stock', 'Das Büro von Anna liegt jetzt im 4. Stock'],
  ['Die Besprechung findet am Montag statt', 'Die Besprechung findet am Dienstag statt'],
  ['会議は月曜日に行われます', '会議は火曜日に行われます'],
  ['サーバーのポートは8080です', 'サーバーのポートは9090です'],
  ['Réunion d’équipe le lundi à 10h', 'Réunion d’équipe le mardi à 10h'],
  ['Dogs are allowed in the garden', 'Dogs are not allowed in the garden'],
  ['Dogs are allowed in the garden', 'Dogs are no longer allowed in the garden'],
  ['The heating is switched on', "The heating isn't switched on"],
  ['The rent is 850 euros a month', 'The rent is 910 euros a month since April'],
  ['Bin collection is on Tuesday', 'Bin collection is on Friday from now on'],
  ['The wedding is on 12 June', 'The wedding is on 19 June'],
  ['The shop closes at 18:00', 'The shop closes at 20:00'],
  ['Planning has moved from Utrecht to Ghent', 'Planning has moved from Ghent to Utrecht'],
  [
    { flag: 'dark_mode', enabled: true },
    { flag: 'dark_mode', enabled: false },
  ],
  [{ address: 'Coolsingel 40' }, { address: 'Blaak 16' }],
  [
    { topic: 'office', value: 'Berlin' },
    { topic: 'office', value: 'Hamburg' },
  ],
  [
    { question: 'Where do we eat?', decision: 'in the canteen' },
    { question: 'Where do we eat?', decision: 'at our desks' },
  ],
  ['Status: green', 'Status: red'],
  ['Early shift: Petra', 'Early shift: Amira'],
  [
    { topic: 'office', value: 'Berlin', note: 'as of May' },
    { topic: 'office', value: 'Hamburg', note: 'Anna moved' },
  ],
  [
    { setting: 'acknowledgement timeout, results channel', value: '30 s', note: 'then it is sent again' },
    { decision: 'acknowledgement timeout of the results channel raised to 60 s', reason: 'double results' },
  ],
  [
    { fact: 'Search runs on Elasticsearch 7.17', owner: 'team Falcon' },
    { fact: 'Search runs on OpenSearch 2.11', owner: 'team Falcon' },
  ],
  ['Status: afloat', 'Status: in dry dock since Monday'],
  ['Preferred contact: e-mail', 'Preferred contact: the portal'],
  ['Current sprint goal: ship search', 'Current sprint goal: fix checkout'],
  ['Server db1: 64 GB memory', 'Server db1: 128 GB memory'],
  [
    { entity: 'Ana', attribute: 'role', value: 'team lead' },
    { entity: 'Ana', attribute: 'role', value: 'architect' },
  ],
  [
    { subject: 'Ana', predicate: 'works_at', object: 'Acme' },
    { subject: 'Ana', predicate: 'works_at', object: 'Globex' },
  ],
  [
    { setting: 'theme', value: 'dark' },
    { setting: 'theme', value: 'light' },
  ],
  [{ owner: 'team Abacus' }, { owner: 'team Zebra' }],
  ['The north gate opens at 7', 'North gate opens at 8'],
  [
    'Team handbook. Laptops are replaced after four years. Travel is booked by Noor. Lunch is paid on Fridays.',
    'Laptops are replaced after three years',
  ],
  ['Tests are run with Jest', 'Tests are run with Vitest instead of Jest'],
  ['Our landlord is Mr Berg', 'Our landlord is Ms Holm since May'],
  ['Max takes 5 mg of amlodipine', 'Max takes 10 mg of amlodipine'],
  ['La réunion est à 10 heures', 'La réunion est à 11 heures'],
  ['Deploys to production need two approvals', 'Deploys to production need one approval'],
]

/** One says what the other says too. */
export const AGREED: Pairs = [
  [
    { topic: 'office', value: 'Berlin', note: 'as of May' },
    { topic: 'office', value: 'berlin', note: 'Anna confirmed it' },
  ],
  [
    { setting: 'theme', value: 'dark' },
    { setting: 'theme', value: 'dark', seen: 'in the profile' },
  ],
  ['Status: green', 'Status: still green'],
  [
    { topic: 'office', value: 'Berlin' },
    { topic: 'office', note: 'it is still Berlin' },
  ],
  ['The API listens on port 8080', 'the api listens on port 8080.'],
  ['Dogs are allowed in the garden', 'Yes, dogs are allowed in the garden'],
  ['Anna is allergic to peanuts', 'Anna is allergic to peanuts, the doctor says'],
  ['The build takes 12 minutes', 'The build takes twelve minutes'],
  [{ retries: 3 }, { retries: 3, timeout_s: 30 }],
  ['Dogs are not allowed in the garden', "Dogs aren't allowed in the garden"],
  ['会議は月曜日に行われます', '会議は月曜日に行われます。'],
  ['Die Besprechung findet am Montag statt', 'Die Besprechung findet weiterhin am Montag statt'],
]

/** Two things, whatever they have in common. */
export const UNRELATED: Pairs = [
  ['User lives in Paris', "User's sister lives in Lyon"],
  ['Anna works at Acme', 'Anna’s husband works at Globex'],
  ['Anna: allergic to peanuts', 'Anna: office is in Hamburg'],
  ['Project Apollo: uses PostgreSQL', 'Project Apollo: budget is 2M'],
  ['Server db1: 64 GB memory', 'Server db1: located in Frankfurt'],
  ['Decision: use PostgreSQL', 'Decision: hire Ana'],
  ['Reminder: call Bo', 'Reminder: pay the rent'],
  ['Early shift: Petra', 'Late shift: Amira'],
  [
    { topic: 'Ana', text: 'allergic to peanuts' },
    { topic: 'Ana', text: 'office is in Hamburg' },
  ],
  [
    { topic: 'orders database', value: 'PostgreSQL' },
    { topic: 'users database', value: 'PostgreSQL' },
  ],
  [
    { category: 'preference', text: 'likes tea' },
    { category: 'preference', text: 'writes short mails' },
  ],
  [
    { status: 'open', note: 'Printer jams' },
    { status: 'open', note: 'Coffee machine leaks' },
  ],
  [
    { author: 'Ana', text: 'Use tabs' },
    { author: 'Ana', text: 'Lunch at noon' },
  ],
  [
    { entity: 'Ana', attribute: 'role', value: 'team lead' },
    { entity: 'Ana', attribute: 'city', value: 'Berlin' },
  ],
  [
    { entity: 'Ana', attribute: 'role', value: 'team lead' },
    { entity: 'Bo', attribute: 'role', value: 'architect' },
  ],
  [
    { project: 'apollo', decision: 'Use tabs' },
    { project: 'apollo', decision: 'Release on Friday' },
  ],
  [{ lesson: 'Run the linter before pushing' }, { lesson: 'The staging database is reset every night' }],
  [{ preference: 'likes tea' }, { preference: 'writes short mails' }],
  [{ goal: 'run a marathon' }, { goal: 'learn Danish' }],
  ['Anna is allergic to peanuts', "Anna's office is in Hamburg"],
  ['Anna moved to the office in Hamburg', 'Anna is allergic to peanuts'],
  ['Anna visited Rome', 'Anna likes Berlin'],
  ['Anna is allergic to peanuts', 'Ben is allergic to peanuts'],
  ["Anna's office is in Hamburg", "Ben's office is in Berlin"],
  ['Anna ist allergisch gegen Nüsse', 'Anna arbeitet in Hamburg'],
  ['Anna ist allergisch gegen Nüsse', 'Ben ist allergisch gegen Nüsse'],
  ['田中さんは東京に住んでいます', '佐藤さんは東京に住んでいます'],
  ['会議は月曜日に行われます', 'サーバーのポートは8080です'],
  ['checkout-api times out after 30 s', 'billing-api times out after 30 s'],
  ['The timeout of checkout is 30 seconds', 'The timeout of billing is 30 seconds'],
  [
    { service: 'checkout', timeout_s: 30 },
    { service: 'billing', timeout_s: 10 },
  ],
  [
    { task: 'write the report', status: 'todo' },
    { task: 'call the bank', status: 'done' },
  ],
  ['Task 12 is todo', 'Task 13 is done'],
  ['Task 12 is done', 'Task 13 is done'],
  [
    { command: 'npm test', result: 'passed' },
    { command: 'npm run test:e2e', result: '2 failed' },
  ],
  [{ command: 'npm test' }, { command: 'npm run test:e2e' }],
  ['The kitchen is closed on Mondays', 'The sauna is closed on Mondays'],
  ['The price of milk is 2 euros', 'The price of bread is 2 euros'],
  ['The build takes 12 minutes', 'The class has 12 pupils'],
  ['The team has 12 members', 'The lease runs for 12 months'],
  ['Invoices are sent on the 1st', 'Salaries are paid on the 1st'],
  ['The car needs new tyres', 'The car is insured with Tryg'],
  ['No smoking, by order of the landlord', 'Bikes in the cellar, by order of the landlord'],
  [{ owner: 'team Abacus' }, { region: 'eu-north', price_per_vm: 31 }],
  [{ observation: 'The lift is stuck' }, { observation: 'The roof leaks' }],
  [
    { problem: 'login fails', cause: 'clock skew', fix: 'restart ntpd' },
    { problem: 'mails are late', cause: 'queue full', fix: 'add a worker' },
  ],
  ['The red bus stops at the harbour', 'The harbour restaurant serves fish'],
  ['docker compose up -d', 'git push origin main'],
  ['Max plays the piano on Sundays', 'Max has a dentist appointment on Monday'],
  ['👍', '🎉'],
  ['We water the roses on Mondays', 'We water the lawn on Mondays'],
  ['My brother lives in Oslo', 'My sister lives in Oslo'],
  ['Grandma takes aspirin in the morning', 'Grandma takes the bus in the morning'],
  ['The laptop battery lasts 5 hours', 'The laptop screen has 5 dead pixels'],
  ['The staging database is Postgres 15', 'The production database is Postgres 14'],
  ['In Paris we stay at Hotel Lux', 'In Paris we eat at Chez Nous'],
  ['Lea is vegetarian', 'Lea is pregnant'],
  [
    { author: 'Anna', text: 'The roof leaks' },
    { author: 'Anna', text: 'Lunch was late' },
  ],
  [
    { author: 'Anna', text: 'The roof leaks' },
    { author: 'Ben', text: 'Lunch was late' },
  ],
  [
    { person: 'Kei', note: 'likes green tea' },
    { person: 'Kei', note: 'is back in May' },
  ],
]
