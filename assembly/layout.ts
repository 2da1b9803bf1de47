/** Where everything lies in memory: the scratch of one text first, then the weights as they are in the file. */

export const HIDDEN: usize = 384
export const FEED: usize = 1536
export const HEADS: usize = 12
export const HEAD: usize = HIDDEN / HEADS
export const LAYERS: usize = 3
export const WORDS: usize = 30522
export const POSITIONS: usize = 128
export const MOST_TOKENS: usize = 96

const FLOAT: usize = 4
const STATES_SIZE: usize = MOST_TOKENS * HIDDEN * FLOAT

/** The token ids of the text, an int32 each: written by the host. */
export const TOKENS: usize = 1024
/** The vector of the text, 384 float32: read by the host. */
export const VECTOR: usize = TOKENS + MOST_TOKENS * 4
export const STATES: usize = VECTOR + HIDDEN * FLOAT
export const QUERIES: usize = STATES + STATES_SIZE
export const KEYS: usize = QUERIES + STATES_SIZE
export const VALUES: usize = KEYS + STATES_SIZE
/** What attention gives, and then what is added to the states. */
export const MIXED: usize = VALUES + STATES_SIZE
export const ADDED: usize = MIXED + STATES_SIZE
export const WIDE: usize = ADDED + STATES_SIZE
/** Activations rounded to 12 bits, int16, with one float32 scale a token. */
export const ROUNDED: usize = WIDE + MOST_TOKENS * FEED * FLOAT
export const ROUNDED_SCALES: usize = ROUNDED + MOST_TOKENS * FEED * 2
export const SCORES: usize = ROUNDED_SCALES + MOST_TOKENS * FLOAT

/** The file of weights: written by the host, once. */
export const WEIGHTS: usize = SCORES + MOST_TOKENS * FLOAT
export const WORD_SCALES: usize = WEIGHTS + WORDS * HIDDEN
/** Each tensor begins at a multiple of 16 bytes. */
export const POSITION_STATES: usize = WORD_SCALES + ((WORDS * FLOAT + 15) & ~15)
export const FIRST_NORM: usize = POSITION_STATES + POSITIONS * HIDDEN * FLOAT
export const NORM_SIZE: usize = 2 * HIDDEN * FLOAT
export const FIRST_LAYER: usize = FIRST_NORM + NORM_SIZE

/** Query, key, value and the output of attention: weights, scales, biases. */
export const SQUARE_SIZE: usize = HIDDEN * HIDDEN + 2 * HIDDEN * FLOAT
export const FEED_IN_SIZE: usize = FEED * HIDDEN + 2 * FEED * FLOAT
export const FEED_OUT_SIZE: usize = HIDDEN * FEED + 2 * HIDDEN * FLOAT
export const LAYER_SIZE: usize = 4 * SQUARE_SIZE + FEED_IN_SIZE + FEED_OUT_SIZE + 2 * NORM_SIZE
export const END: usize = FIRST_LAYER + LAYERS * LAYER_SIZE
