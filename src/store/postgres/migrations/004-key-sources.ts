/** The only sources that a key may record as; NULL for all. */
export const keySources = 'ALTER TABLE keys ADD COLUMN sources text[]'
