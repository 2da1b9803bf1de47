import { type DemoEvent, event, link } from './event.js'

/** How tests and rendering became fast, and an open dispute about payments. */
export const TESTS_AND_PAYMENTS: readonly DemoEvent[] = [
  event('2026-01-08', 'decision', 'agent', 'decision:test_runner', { test_runner: 'jest' }),
  event('2026-01-09', 'fact', 'user', 'skill:react_hooks', {
    value: 'Effects that fetch data must return a cleanup function that aborts the request',
  }),
  event('2026-01-12', 'observation', 'executor', 'skill:react_performance', {
    observation: 'Memoising the product list cut its render time from 180 ms to 22 ms',
  }),
  event(
    '2026-01-15',
    'fact',
    'agent',
    'skill:react_hooks',
    {
      value:
        'useMemo is worth its cost here: memoising the product list cut its render time from 180 ms to 22 ms',
    },
    [link('reinforcement', 'skill:react_performance')],
  ),
  event(
    '2026-01-20',
    'fact',
    'agent',
    'tool:ci',
    { value: 'CI runs jest in band because the workers run out of memory' },
    [link('extension', 'decision:test_runner')],
  ),
  event('2026-02-02', 'observation', 'executor', 'error:flaky_login_test', {
    observation: 'The login test fails about once in twenty runs',
  }),
  event(
    '2026-02-04',
    'fact',
    'validator',
    'skill:test_isolation',
    {
      problem: 'The login test fails about once in twenty runs',
      cause: 'Tests share one session store',
      fix: 'Reset the session store between tests',
    },
    [link('extension', 'error:flaky_login_test')],
  ),
  event(
    '2026-02-05',
    'observation',
    'executor',
    'error:flaky_login_test',
    { observation: 'Resetting the session store between tests fixed the login test: no failure in 400 runs' },
    [link('reinforcement', 'skill:test_isolation')],
  ),
  event(
    '2026-03-02',
    'decision',
    'user',
    'decision:test_runner',
    { test_runner: 'vitest', reason: 'it runs TypeScript without a build' },
    [link('contradiction', 'decision:test_runner'), link('related-to', 'skill:typescript')],
  ),
  event(
    '2026-03-09',
    'feedback',
    'user',
    'project:checkout',
    { feedback: 'The payment step is slow on cheap phones' },
    [link('related-to', 'skill:react_performance')],
  ),
  event(
    '2026-03-10',
    'observation',
    'validator',
    'project:checkout',
    { observation: 'The payment step is slow on cheap phones: 9 seconds until it can be used' },
    [link('reinforcement', 'project:checkout')],
  ),
  event('2026-03-16', 'fact', 'user', 'error:payment_timeout', {
    value: 'Payments time out because the bank gateway is slow',
  }),
  event(
    '2026-03-18',
    'fact',
    'agent',
    'error:payment_timeout',
    {
      value:
        'Payments time out not because the bank gateway is slow, but because our connection pool is exhausted at noon',
    },
    [link('contradiction', 'error:payment_timeout')],
  ),
  event('2026-03-11', 'decision', 'executor', 'decision:test_runner', {
    test_runner: 'vitest',
    reason: 'it runs TypeScript without a build',
  }),
]
