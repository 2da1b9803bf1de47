import { type DemoEvent, event, link, named, until } from './event.js'

/** What went wrong in the shop, what it came from, and what sells. */
export const SHOP: readonly DemoEvent[] = [
  event('2025-11-28', 'observation', 'system', 'error:oversold_stock', {
    observation: 'On Black Friday 14 teapots were sold that were not in stock',
  }),
  named(
    'oversold_cause',
    event(
      '2025-12-02',
      'fact',
      'agent',
      'skill:row_locking',
      {
        problem: 'More teapots were sold than were in stock',
        cause: 'Two orders read the same stock count before either wrote it',
        fix: 'Lock the stock row with SELECT FOR UPDATE',
      },
      [link('extension', 'error:oversold_stock'), link('related-to', 'decision:database')],
    ),
  ),
  event(
    '2025-12-05',
    'observation',
    'executor',
    'error:oversold_stock',
    {
      observation:
        'In a load test with SELECT FOR UPDATE, 500 buyers at once bought exactly the 20 cups that there were',
    },
    [link('reinforcement', '@oversold_cause')],
  ),
  event('2025-07-28', 'fact', 'user', 'error:lost_confirmations', {
    value: 'Order confirmations land in spam because their text has too many links',
  }),
  event(
    '2025-07-30',
    'fact',
    'validator',
    'error:lost_confirmations',
    {
      value:
        'Order confirmations land in spam not because their text has too many links, but because the new mail domain has no DKIM record',
    },
    [link('contradiction', 'error:lost_confirmations')],
  ),
  event(
    '2025-07-31',
    'action',
    'executor',
    'tool:mail',
    { action: 'Added the DKIM record for mail.teashop.example; test letters reach the inbox' },
    [link('extension', 'error:lost_confirmations')],
  ),
  event('2025-09-01', 'observation', 'user', 'error:search_umlauts', {
    problem: 'A search for Muesli bowl does not find the Müsli bowl',
    fix: 'Fold umlauts in the index and in the search words',
  }),
  named(
    'free_shipping',
    event(
      '2025-12-08',
      'observation',
      'executor',
      'project:free_shipping',
      {
        observation:
          'In a split test free shipping above 40 euros raised the average order from 31 to 37 euros',
      },
      [link('related-to', 'project:shop')],
    ),
  ),
  event(
    '2025-12-15',
    'observation',
    'agent',
    'project:free_shipping',
    {
      observation:
        'Free shipping did not raise the average order: without the week of Black Friday it is 31 euros, as before',
    },
    [link('contradiction', '@free_shipping')],
  ),
  event(
    '2025-12-22',
    'decision',
    'user',
    'decision:shipping_price',
    { decision: 'Shipping stays free above 40 euros', reason: 'it raised the average order' },
    [link('extension', '@free_shipping')],
  ),
  event(
    '2025-12-29',
    'feedback',
    'user',
    'error:double_order',
    { feedback: 'A customer who pressed Buy twice got two parcels' },
    [link('related-to', 'project:checkout')],
  ),
  event(
    '2025-12-31',
    'decision',
    'agent',
    'error:double_order',
    {
      decision: 'The Buy button sends an idempotency key, so that a second press makes no second order',
      reason: 'a button that is only disabled fails when the page is reloaded',
    },
    [link('extension', 'error:double_order'), link('related-to', 'project:checkout')],
  ),
  until(
    '2026-03-02',
    event('2026-02-23', 'decision', 'user', 'decision:release_freeze', {
      decision: 'Nothing is released while the auditors are here',
    }),
  ),
]
