/** Who made a key, the first one first; NULL for keys that were made before this was kept. */
export const keyMakers = 'ALTER TABLE keys ADD COLUMN makers text[]'
