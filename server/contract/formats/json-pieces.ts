/** The number of items of a list, such as lines, that are written at once. */
const itemsAtOnce = 100

/**
 * Returns the output of `JSON.stringify(value, null, 2)` in pieces: for a long call it is tens of megabytes, and encoding it at once takes
 * several times that. Takes JSON values; undefined properties are left out.
 */
export function jsonPieces(value: unknown): Generator<string> {
  return writeValue(value, '\n')
}

/** `lineStart` is the line break before the closing bracket of the value, with its indentation. */
function* writeValue(value: unknown, lineStart: string): Generator<string> {
  if (typeof value !== 'object' || value === null) yield JSON.stringify(value)
  else if (Array.isArray(value)) yield* writeList(value, lineStart)
  else yield* writeObject(value, lineStart)
}

function* writeList(list: unknown[], lineStart: string): Generator<string> {
  if (list.length <= itemsAtOnce)
    return yield* writeEntries(
      '[]',
      list.map((item) => ['', item]),
      lineStart,
    )
  for (let at = 0; at < list.length; at += itemsAtOnce) {
    yield at === 0 ? '[' : ','
    const items = JSON.stringify(list.slice(at, at + itemsAtOnce), null, 2).slice('['.length, -'\n]'.length)
    // Line breaks within strings are escaped, so each one here belongs to the layout.
    yield items.replaceAll('\n', lineStart)
  }
  yield `${lineStart}]`
}

function writeObject(object: object, lineStart: string): Generator<string> {
  const entries = Object.entries(object).filter(([, item]) => item !== undefined)
  return writeEntries(
    '{}',
    entries.map(([name, item]) => [`${JSON.stringify(name)}: `, item]),
    lineStart,
  )
}

function* writeEntries(
  brackets: '[]' | '{}',
  entries: [start: string, item: unknown][],
  lineStart: string,
): Generator<string> {
  if (entries.length === 0) return yield brackets
  for (const [at, [start, item]] of entries.entries()) {
    yield `${at === 0 ? brackets[0] : ','}${lineStart}  ${start}`
    yield* writeValue(item, `${lineStart}  `)
  }
  yield `${lineStart}${brackets[1]}`
}
