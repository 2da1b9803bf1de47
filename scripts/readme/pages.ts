/** The pages whose commands are executed, and whose outputs are what those print. */
export const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/story.md',
  'docs/tour.md',
  'docs/trust.md',
  'docs/time.md',
  'docs/confidence.md',
  'docs/meaning.md',
  'docs/for-agents.md',
  'docs/cli.md',
  'docs/operations.md',
] as const
