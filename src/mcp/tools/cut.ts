/** A question that fits: never refused for its length, not cut in the middle of a character. */
export function cutTo(characters: number, question: string): string {
  return question
    .replaceAll('\0', ' ')
    .slice(0, characters)
    .replace(/[\ud800-\udbff]$/, '')
}
