/** The brief, which is Markdown with headings and lists, as headings and lists; everything else in it is text. */
export function Brief({ text }: { text: string }) {
  return (
    <div class="brief">
      {text
        .trim()
        .split(/\n{2,}/)
        .map((block) => (
          <Block key={block} block={block} />
        ))}
    </div>
  )
}

function Block({ block }: { block: string }) {
  const lines = block.split('\n')
  const heading = lines[0]?.startsWith('#') ? lines.shift()?.replace(/^#+ */, '') : undefined
  // A line that does not begin an item goes on with the one before.
  const items = lines.join('\n').split(/^- /m)
  const before = items.shift()?.trim()
  return (
    <section>
      {heading !== undefined && <h3>{heading}</h3>}
      {before !== undefined && before !== '' && <p>{before}</p>}
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={item}>
              {item.split('\n').map((line) => (
                <Line key={line} line={line.trim()} />
              ))}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const ORIGIN = / \([^()]*, recorded [^()]*\).*$/

/** A memory, and in a quieter voice where it is from. */
function Line({ line }: { line: string }) {
  const origin = ORIGIN.exec(line)?.[0] ?? ''
  return (
    <p>
      {line.slice(0, line.length - origin.length)}
      <span class="muted small">{origin}</span>
    </p>
  )
}
