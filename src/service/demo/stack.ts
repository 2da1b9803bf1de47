import { type DemoEvent, event, link, named } from './event.js'

/** What the shop is built with, and why; some of it was decided twice. */
export const STACK: readonly DemoEvent[] = [
  event(
    '2025-03-12',
    'decision',
    'user',
    'decision:database',
    { database: 'PostgreSQL 16', reason: 'an order and its stock change in one transaction' },
    [link('related-to', 'project:shop')],
  ),
  event('2025-03-17', 'decision', 'user', 'decision:hosting', {
    hosting: 'one virtual machine in Frankfurt',
  }),
  named(
    'downtime',
    event(
      '2025-03-31',
      'observation',
      'agent',
      'procedure:release',
      {
        observation: 'Each release takes the shop offline for 20 seconds, because there is only one machine',
      },
      [link('extension', 'decision:hosting')],
    ),
  ),
  event('2025-03-19', 'decision', 'user', 'decision:package_manager', { package_manager: 'npm' }),
  event(
    '2025-05-21',
    'decision',
    'user',
    'decision:package_manager',
    { package_manager: 'pnpm', reason: 'it installs twice as fast' },
    [link('contradiction', 'decision:package_manager')],
  ),
  event('2025-08-04', 'decision', 'user', 'decision:package_manager', { package_manager: 'npm' }, [
    link('contradiction', 'decision:package_manager'),
  ]),
  event(
    '2025-08-05',
    'fact',
    'user',
    'tool:pnpm',
    { value: 'We gave pnpm up because the build servers of the hosting company cannot use it' },
    [link('related-to', 'decision:package_manager')],
  ),
  event(
    '2025-04-21',
    'decision',
    'agent',
    'decision:image_format',
    { image_format: 'WebP', reason: 'every browser of our customers shows it' },
    [link('related-to', 'skill:image_loading')],
  ),
  event(
    '2025-10-20',
    'decision',
    'user',
    'decision:image_format',
    { image_format: 'AVIF, with WebP where it is not understood', reason: 'pictures are a third smaller' },
    [link('contradiction', 'decision:image_format')],
  ),
  event(
    '2025-10-22',
    'observation',
    'executor',
    'skill:image_loading',
    { observation: 'With AVIF the home page fell from 2.1 MB to 1.4 MB' },
    [link('related-to', 'decision:image_format'), link('related-to', 'skill:react_performance')],
  ),
  event('2025-09-08', 'fact', 'user', 'skill:typescript', {
    value: 'Use strict mode everywhere; a cast needs a comment that says why',
  }),
  event(
    '2025-10-27',
    'decision',
    'user',
    'decision:hosting',
    {
      hosting: 'two machines in Frankfurt behind a load balancer',
      reason: 'the autumn sale took the only machine down',
    },
    [link('contradiction', 'decision:hosting')],
  ),
  event(
    '2026-01-12',
    'action',
    'agent',
    'skill:bundle_size',
    { action: 'Replaced moment by Intl.DateTimeFormat; the bundle fell from 310 kB to 240 kB' },
    [link('related-to', 'skill:react_performance')],
  ),
  event(
    '2026-01-26',
    'fact',
    'validator',
    'skill:accessibility',
    {
      problem: 'The cart cannot be left with the keyboard',
      cause: 'The quantity field catches the Tab key',
      fix: 'Let Tab through and use the arrow keys for the quantity',
    },
    [link('related-to', 'project:checkout')],
  ),
]
