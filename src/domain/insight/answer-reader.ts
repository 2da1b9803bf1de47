export interface AnswerReader {
  /**
   * For each text, the logit that it answers the question: above 0 if it is likelier than not. Undefined when texts cannot be
   * read now. Rejects with `overloaded` when too many questions of the caller wait.
   */
  logitsOf(question: string, texts: readonly string[]): Promise<readonly number[] | undefined>
}
