import { createHeardCheck, type HeardChannels } from '#contract/heard.ts'
import type { LineMark } from '#contract/line-marks.ts'
import { createMarkFinder } from '#contract/match-marks.ts'
import type { CountedMarks } from '#data/line-marks/line-marks.ts'
import type { ReviewedText } from './reviewed-text.ts'

/** Returns the share of the lines of a text that has been heard. */
export function countHeard(heard: HeardChannels, { id, lines }: ReviewedText) {
  return { share: shareOf(lines, createHeardCheck(heard)), countedText: id }
}

/** Returns the shares of the lines of a text that have been verified, and that two or more people have verified. */
export function countVerified(marks: LineMark[], { id, lines }: ReviewedText): CountedMarks {
  const { find } = createMarkFinder(marks)
  const readers = lines.map((line) => find(line).verified.length)
  return {
    verified: shareOf(readers, (count) => count > 0),
    verifiedTwice: shareOf(readers, (count) => count > 1),
    countedText: id,
  }
}

function shareOf<Item>(items: Item[], isCounted: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(isCounted).length / items.length
}
