/** What a key may do. None includes another. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]
