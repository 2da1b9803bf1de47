/** Where everything lies in memory: the scratch of one text first, then the weights as they are in their files. */

export const HIDDEN: usize = 384
export const FEED: usize = 1536
export const HEADS: usize = 12
export const HEAD: usize = HIDDEN / HEADS
export const ENCODER_LAYERS: usize = 3
export const READER_LAYERS: usize = 6
export const WORDS: usize = 30522
export const POSITIONS: usize = 128
/** Of a text for the encoder. */
export const MAX_TOKENS: usize = 96
/** Of a question and a text for the reader; the scratch has room for as many. */
export const MAX_PAIR_TOKENS: usize = 128

const FLOAT: usize = 4
const STATES_SIZE: usize = MAX_PAIR_TOKENS * HIDDEN * FLOAT

/** The token ids of the text, an int32 each: written by the host. */
export const TOKENS: usize = 1024
/** The vector of the text, 384 float32: read by the host. */
export const VECTOR: usize = TOKENS + MAX_PAIR_TOKENS * 4
export const STATES: usize = VECTOR + HIDDEN * FLOAT
export const QUERIES: usize = STATES + STATES_SIZE
export const KEYS: usize = QUERIES + STATES_SIZE
export const VALUES: usize = KEYS + STATES_SIZE
/** What attention gives, and then what is added to the states. */
export const MIXED: usize = VALUES + STATES_SIZE
export const ADDED: usize = MIXED + STATES_SIZE
export const WIDE: usize = ADDED + STATES_SIZE
/** Activations rounded to 12 bits, int16, with one float32 scale a token. */
export const ROUNDED: usize = WIDE + MAX_PAIR_TOKENS * FEED * FLOAT
export const ROUNDED_SCALES: usize = ROUNDED + MAX_PAIR_TOKENS * FEED * 2
export const SCORES: usize = ROUNDED_SCALES + MAX_PAIR_TOKENS * FLOAT
/** Four rows of a matrix as int16. */
export const WIDENED: usize = SCORES + MAX_PAIR_TOKENS * FLOAT
const WIDENED_SIZE: usize = 4 * FEED * 2

export const NORM_SIZE: usize = 2 * HIDDEN * FLOAT
/** Query, key, value and the output of attention: weights, scales, biases. */
export const SQUARE_SIZE: usize = HIDDEN * HIDDEN + 2 * HIDDEN * FLOAT
export const FEED_IN_SIZE: usize = FEED * HIDDEN + 2 * FEED * FLOAT
export const FEED_OUT_SIZE: usize = HIDDEN * FEED + 2 * HIDDEN * FLOAT
export const LAYER_SIZE: usize = 4 * SQUARE_SIZE + FEED_IN_SIZE + FEED_OUT_SIZE + 2 * NORM_SIZE

/** The weights of the encoder: written by the host, once. Each tensor begins at a multiple of 16 bytes. */
export const WEIGHTS: usize = WIDENED + WIDENED_SIZE
export const WORD_SCALES: usize = WEIGHTS + WORDS * HIDDEN
export const ENCODER_POSITIONS: usize = WORD_SCALES + ((WORDS * FLOAT + 15) & ~15)
export const ENCODER_NORM: usize = ENCODER_POSITIONS + POSITIONS * HIDDEN * FLOAT
export const ENCODER_LAYER: usize = ENCODER_NORM + NORM_SIZE
export const END: usize = ENCODER_LAYER + ENCODER_LAYERS * LAYER_SIZE

/** The weights of the reader, likewise; its words are those of the encoder. */
export const READER_WEIGHTS: usize = END
export const SIDES: usize = READER_WEIGHTS + POSITIONS * HIDDEN * FLOAT
export const READER_NORM: usize = SIDES + 2 * HIDDEN * FLOAT
export const READER_LAYER: usize = READER_NORM + NORM_SIZE
export const OUTPUT_HEAD: usize = READER_LAYER + READER_LAYERS * LAYER_SIZE
export const OUTPUT_HEAD_BIASES: usize = OUTPUT_HEAD + HIDDEN * HIDDEN * FLOAT
export const OUTPUT: usize = OUTPUT_HEAD_BIASES + HIDDEN * FLOAT
export const OUTPUT_BIAS: usize = OUTPUT + HIDDEN * FLOAT
export const READER_END: usize = OUTPUT_BIAS + FLOAT
