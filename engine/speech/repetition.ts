/** People repeat themselves too: these limits are above what occurs in speech. */
const maxPhraseRepeats = 6
const maxSegmentRepeats = 4

const phraseLoop = new RegExp(`(?<!\\S)(\\S+(?: \\S+){0,9}?)(?: \\1){${maxPhraseRepeats},}(?!\\S)`, 'u')

/**
 * Whether a text repeats itself as only a decoder in a loop does: a phrase of up to ten words more than six times in a row within a
 * segment, or the same segment more than four times in a row. The compression ratio does not detect short loops.
 */
export function hasLoop(segments: { text: string }[]): boolean {
  if (segments.some(({ text }) => phraseLoop.test(text))) return true
  return runsOfSameText(segments).some((run) => run.length > maxSegmentRepeats)
}

/** Merges consecutive items with the same text into one that lasts from the first to the last. */
export function mergeRepeated<Item extends { text: string; endMs: number }>(items: Item[]): Item[] {
  return runsOfSameText(items).flatMap((run) => {
    const [first] = run
    return first ? [{ ...first, endMs: run.at(-1)?.endMs ?? first.endMs }] : []
  })
}

function runsOfSameText<Item extends { text: string }>(items: Item[]): Item[][] {
  const runs: Item[][] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run?.[0]?.text === item.text) run.push(item)
    else runs.push([item])
  }
  return runs
}
