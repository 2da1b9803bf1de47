/** The brief, which is Markdown with headings and lines, as headings and lines; everything else in it is text. */
export function Brief({ text }: { text: string }) {
  return (
    <div class="brief">
      {text
        .trim()
        .split(/\n{2,}/)
        .map((block) => {
          const lines = block.split('\n')
          const heading = lines[0]?.startsWith('#') ? lines.shift()?.replace(/^#+ */, '') : undefined
          const items = lines.filter((line) => line.startsWith('- '))
          const others = lines.filter((line) => !line.startsWith('- '))
          return (
            <section key={block}>
              {heading !== undefined && <h3>{heading}</h3>}
              {others.map((line) => (
                <p key={line}>{line}</p>
              ))}
              {items.length > 0 && (
                <ul>
                  {items.map((item) => (
                    <li key={item}>{item.slice(2)}</li>
                  ))}
                </ul>
              )}
            </section>
          )
        })}
    </div>
  )
}
