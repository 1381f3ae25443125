import type { Segment } from '#contract/transcription.ts'

/** Lines of two versions for the same passage; a side is empty if that version has nothing there. */
export interface AlignedLines {
  start: number
  end: number
  a: Segment[]
  b: Segment[]
  isDifferent: boolean
}

/** The overlap with another speaker's line is multiplied by this, which keeps two voices that talk at once apart. */
const otherSpeakerShare = 0.5

/**
 * Aligns the lines of two versions by time and speaker, in time order. Lines that are split in one version are beside the single line in
 * the other; lines of different channels are never paired.
 */
export function alignVersions(a: readonly Segment[], b: readonly Segment[]): AlignedLines[] {
  const groups = a.map((line) => ({ a: [line], b: [] as Segment[] }))
  const alone: Segment[] = []
  for (const [index, best] of bestMatches(b, a).entries()) {
    const line = b[index]
    if (!line) continue
    if (best === undefined) alone.push(line)
    else groups[best]?.b.push(line)
  }
  joinUnmatched(groups, b, a)
  const rows = [...groups.filter((group) => group.a.length > 0), ...alone.map((line) => ({ a: [], b: [line] }))]
  return rows.map(toRow).toSorted((x, y) => x.start - y.start || x.end - y.end)
}

/** Adds each line of `a` without a partner to the group of its matching line in `b`, such as when `b` joined two lines. */
function joinUnmatched(groups: { a: Segment[]; b: Segment[] }[], b: readonly Segment[], a: readonly Segment[]): void {
  const groupOf = new Map(groups.flatMap((group) => group.b.map((line) => [line, group] as const)))
  for (const [index, best] of bestMatches(a, b).entries()) {
    const own = groups[index]
    const line = a[index]
    const partner = best === undefined ? undefined : b[best]
    const target = partner && groupOf.get(partner)
    if (!own || !line || own.b.length > 0 || !target || target === own) continue
    own.a = []
    target.a.push(line)
  }
}

/** Returns for each line the index in `others` of the one that overlaps most; undefined if none does. Both are in time order. */
function bestMatches(lines: readonly Segment[], others: readonly Segment[]): (number | undefined)[] {
  const longest = others.reduce((longest, { start, end }) => Math.max(longest, end - start), 0)
  let first = 0
  return lines.map((line) => {
    while (first < others.length && (others[first]?.start ?? 0) < line.start - longest) first += 1
    let best: number | undefined
    let bestShare = 0
    for (let index = first; index < others.length && (others[index]?.start ?? 0) < line.end; index += 1) {
      const other = others[index]
      const share = other ? sharedSeconds(line, other) : 0
      if (share > bestShare) [best, bestShare] = [index, share]
    }
    return best
  })
}

function sharedSeconds(line: Segment, other: Segment): number {
  if (line.channel !== undefined && other.channel !== undefined && line.channel !== other.channel) return 0
  const seconds = Math.min(line.end, other.end) - Math.max(line.start, other.start)
  return line.speaker === other.speaker ? seconds : seconds * otherSpeakerShare
}

function toRow({ a, b }: { a: Segment[]; b: Segment[] }): AlignedLines {
  const inOrder = (lines: Segment[]) => lines.toSorted((x, y) => x.start - y.start)
  const [linesA, linesB] = [inOrder(a), inOrder(b)]
  const all = [...a, ...b]
  return {
    start: Math.min(...all.map(({ start }) => start)),
    end: Math.max(...all.map(({ end }) => end)),
    a: linesA,
    b: linesB,
    isDifferent: textOf(linesA) !== textOf(linesB) || speakersOf(linesA) !== speakersOf(linesB),
  }
}

/** Returns the text of the lines of one passage. */
export function textOf(lines: readonly Segment[]): string {
  return lines.map(({ text }) => text.trim()).join(' ')
}

function speakersOf(lines: readonly Segment[]): string {
  return [...new Set(lines.map(({ speaker }) => speaker))].join()
}
