/** What a tool answers. */
export interface Told {
  /** Markdown. */
  readonly text: string
  /** Every fact of the text: some hosts show a model nothing else. */
  readonly data: Readonly<Record<string, unknown>>
}
