import type { TimedText } from './window-text.ts'

interface RepetitionLimits {
  /** How often a phrase of up to ten words may stand in a row within a segment. Default 8. */
  phrases?: number
  /** How often the same text may be a segment in a row within a window. Default 4. */
  segments?: number
}

/**
 * Shortens what a decoder in a loop writes: the same phrase, or the same segment, over and over. Only repetition within one window
 * counts, since windows know nothing of each other, and people repeat themselves too: the limits are beyond what they do, and
 * what is over a limit becomes one occurrence. `isShortened` tells whether anything was.
 */
export function shortenRepetition(
  texts: TimedText[],
  { phrases = 8, segments = 4 }: RepetitionLimits = {},
): { texts: TimedText[]; isShortened: boolean } {
  const calm = texts.map((item) => ({ ...item, text: shortenPhrases(item.text, phrases) }))
  const kept = mergeSame(calm, segments)
  const isShortened = kept.length < texts.length || calm.some(({ text }, index) => text !== texts[index]?.text)
  return { texts: kept, isShortened }
}

/** Makes one of the same text more than `most` times in a row; it lasts from the first to the last. */
export function mergeSame(texts: TimedText[], most: number): TimedText[] {
  return runsOfSameText(texts).flatMap((run) => (run.length > most ? mergeRun(run) : run))
}

function shortenPhrases(text: string, most: number): string {
  const loop = new RegExp(`(?<!\\S)(\\S+(?: \\S+){0,9}?)(?: \\1){${most},}(?!\\S)`, 'gu')
  return text.replaceAll(loop, '$1')
}

function runsOfSameText(texts: TimedText[]): TimedText[][] {
  const runs: TimedText[][] = []
  for (const item of texts) {
    const run = runs.at(-1)
    if (run?.[0]?.text === item.text) run.push(item)
    else runs.push([item])
  }
  return runs
}

function mergeRun(run: TimedText[]): TimedText[] {
  const [first] = run
  return first ? [{ ...first, endMs: run.at(-1)?.endMs ?? first.endMs }] : []
}
