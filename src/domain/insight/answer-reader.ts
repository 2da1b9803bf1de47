export interface AnswerReader {
  /**
   * How far each of the texts answers the question: logits, above 0 when it is likelier than not that it does. Undefined
   * when they cannot be read now. Rejects with `overloaded` when too many questions of the caller wait.
   */
  logitsOf(question: string, texts: readonly string[]): Promise<readonly number[] | undefined>
}
