import { type DemoEvent, event, link, named } from './event.js'

/** How the shop is kept running: procedures, secrets, backups and alerts. */
export const OPERATIONS: readonly DemoEvent[] = [
  event(
    '2025-03-24',
    'fact',
    'agent',
    'procedure:release',
    {
      steps: [
        'Merge to main',
        'Wait for the green build',
        'Press Deploy',
        'Watch the error rate for ten minutes',
      ],
    },
    [link('related-to', 'tool:ci')],
  ),
  event(
    '2025-03-25',
    'fact',
    'agent',
    'procedure:rollback',
    {
      value: 'To roll back, deploy the tag before; the tests run each migration against the older code',
    },
    [link('extension', 'procedure:release')],
  ),
  event('2025-04-09', 'decision', 'user', 'decision:secrets', {
    decision: 'Secrets live in the vault, never in .env files',
    reason: 'a laptop was stolen in March',
  }),
  event(
    '2025-05-05',
    'fact',
    'agent',
    'procedure:restore_backup',
    {
      steps: ['Stop the workers', 'Restore the backup of last night', 'Replay the log', 'Start the workers'],
    },
    [link('extension', 'decision:database')],
  ),
  named(
    'restore_time',
    event('2025-06-23', 'observation', 'executor', 'procedure:restore_backup', {
      observation: 'Restoring the backup took 48 minutes',
    }),
  ),
  event(
    '2025-12-15',
    'observation',
    'executor',
    'procedure:restore_backup',
    { observation: 'Restoring the backup took 11 minutes, since it runs in parallel' },
    [link('contradiction', '@restore_time'), link('related-to', 'person:tomas')],
  ),
  event('2025-10-25', 'observation', 'system', 'error:autumn_sale_outage', {
    observation: 'The shop was down for 37 minutes: the only machine ran out of memory',
  }),
  named(
    'resizer_cause',
    event(
      '2025-10-26',
      'fact',
      'user',
      'error:autumn_sale_outage',
      {
        cause: 'The image resizer ran in the same process as the shop and kept every picture in memory',
        fix: 'Run the image resizer in a container of its own, with a limit of 512 MB',
      },
      [link('extension', 'error:autumn_sale_outage'), link('related-to', 'decision:hosting')],
    ),
  ),
  event(
    '2025-10-29',
    'action',
    'executor',
    'tool:image_resizer',
    { action: 'Moved the image resizer into a container of its own, with a limit of 512 MB' },
    [link('reinforcement', '@resizer_cause')],
  ),
  event('2025-12-01', 'fact', 'system', 'tool:alerts', {
    value: 'The alert for the error rate fires at 2 % over five minutes',
  }),
  event(
    '2026-01-19',
    'feedback',
    'user',
    'tool:alerts',
    { feedback: 'The disk alert rang at night for nothing; it should wait until 85 %' },
    [link('related-to', 'person:tomas')],
  ),
  event('2026-02-16', 'decision', 'user', 'procedure:refund', {
    decision: 'Support refunds up to 200 euros at once; Ana approves what is above',
    reason: 'most refunds are broken cups',
  }),
  event(
    '2026-02-23',
    'observation',
    'system',
    'tool:certificate',
    { observation: 'The certificate of the shop was renewed by itself' },
    [link('related-to', 'tool:alerts')],
  ),
]
