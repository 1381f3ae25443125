/** As much as a reader needs to judge a hit; most lines are shorter. */
const maxCharacters = 300
const blank = /\s/u

/** Returns the text around a hit, cut at word boundaries, and the position of the hit in it. */
export function excerptSentence(
  text: string,
  { start, end }: { start: number; end: number },
): { sentence: string; markStart: number; markEnd: number } {
  if (text.length <= maxCharacters) return { sentence: text, markStart: start, markEnd: end }
  const room = Math.max(0, maxCharacters - (end - start)) >> 1
  const from = nextBlank(text, Math.max(0, start - room), start)
  const to = previousBlank(text, Math.min(text.length, end + room), end)
  const [before, after] = [from > 0 ? '…' : '', to < text.length ? '…' : '']
  const shift = before.length - from
  return { sentence: before + text.slice(from, to) + after, markStart: start + shift, markEnd: end + shift }
}

function nextBlank(text: string, from: number, limit: number): number {
  if (from === 0) return 0
  for (let at = from; at < limit; at += 1) if (blank.test(text.charAt(at))) return at + 1
  return limit
}

function previousBlank(text: string, from: number, limit: number): number {
  if (from === text.length) return from
  for (let at = from; at > limit; at -= 1) if (blank.test(text.charAt(at - 1))) return at - 1
  return limit
}
