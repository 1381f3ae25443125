/** More would push the next hit out of view; a line may hold half a minute of speech. */
const maxCharactersPerSide = 70
const maxCharacters = 160

interface Excerpt {
  before: string
  marked: string
  after: string
}

/** Returns the part of a text around an offset range, cut between words; its beginning where there is no range. */
export function excerptAround(text: string, range: { start: number; end: number } | null): Excerpt {
  if (!range) return { before: '', marked: '', after: cutEnd(text, maxCharacters) }
  const before = text.slice(0, range.start)
  const after = text.slice(range.end)
  const isShort = text.length <= maxCharacters
  return {
    before: isShort ? before : cutStart(before, maxCharactersPerSide),
    marked: text.slice(range.start, range.end),
    after: isShort ? after : cutEnd(after, maxCharactersPerSide),
  }
}

function cutEnd(text: string, max: number): string {
  if (text.length <= max) return text
  const end = text.lastIndexOf(' ', max)
  return `${text.slice(0, end > 0 ? end : max)} …`
}

function cutStart(text: string, max: number): string {
  if (text.length <= max) return text
  const start = text.indexOf(' ', text.length - max)
  return `… ${text.slice(start >= 0 ? start + 1 : text.length - max)}`
}
