import { type DemoEvent, event, link, named, until } from './event.js'

/** Who works on the shop, how they want things done, and what customers told them. */
export const PEOPLE: readonly DemoEvent[] = [
  event('2025-03-10', 'fact', 'user', 'person:mirela', {
    role: 'Mirela owns the backend and the database',
  }),
  event('2025-03-10', 'fact', 'user', 'person:jonas', {
    role: 'Jonas owns the front end and reviews every change to it',
  }),
  event(
    '2025-03-10',
    'fact',
    'user',
    'person:ana',
    { role: 'Ana decides what is built next and speaks with customers' },
    [link('related-to', 'project:shop')],
  ),
  event(
    '2025-04-14',
    'feedback',
    'user',
    'person:ana',
    { feedback: 'Write release notes for shop owners: what changed for them, and no commit hashes' },
    [link('related-to', 'procedure:release')],
  ),
  event('2025-04-28', 'feedback', 'user', 'project:size_chart', {
    feedback: 'Customers cannot find the size chart on a phone',
  }),
  event('2025-05-12', 'feedback', 'agent', 'project:size_chart', {
    feedback: 'Customers cannot find the size chart on a phone',
  }),
  event('2025-05-26', 'feedback', 'validator', 'project:size_chart', {
    feedback: 'Customers cannot find the size chart on a phone',
  }),
  event(
    '2025-08-25',
    'action',
    'agent',
    'project:size_chart',
    { action: 'Moved the size chart beside the size buttons, one tap away' },
    [link('extension', 'project:size_chart')],
  ),
  named(
    'on_call',
    event('2025-06-09', 'decision', 'user', 'procedure:on_call', {
      decision: 'Mirela is on call every week',
    }),
  ),
  event(
    '2025-11-10',
    'fact',
    'user',
    'person:tomas',
    { role: 'Tomas joined for operations: servers, backups and alerts' },
    [link('related-to', 'procedure:on_call')],
  ),
  event(
    '2025-11-17',
    'decision',
    'user',
    'procedure:on_call',
    {
      decision: 'Tomas is on call in even weeks, Mirela in odd weeks',
      reason: 'nobody should carry the pager alone',
    },
    [link('contradiction', '@on_call'), link('related-to', 'person:tomas')],
  ),
  until(
    '2026-02-09',
    event(
      '2025-12-22',
      'fact',
      'user',
      'person:jonas',
      { value: 'Jonas is on parental leave; Lena from the agency reviews front-end changes' },
      [link('extension', 'person:jonas')],
    ),
  ),
]
