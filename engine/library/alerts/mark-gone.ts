import { createKeywordMatcher, type KeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { setGone, type AlertPlace } from '#data/alerts/raised-alerts.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { TextLine } from '../recording-text.ts'

/** An alert whose word has no time uses the time of its line. */
const toleranceSeconds = 2

/**
 * Marks the alerts of a recording whose words are no longer in its text around that time, and unmarks those whose words are there again.
 * Returns whether there were any.
 */
export async function markGone(
  connection: DatabaseConnection,
  ownerId: string,
  { known, lines }: { known: AlertPlace[]; lines: readonly TextLine[] },
): Promise<boolean> {
  const isPresent = createPresenceTest(lines)
  const changed = known.filter((alert) => alert.isGone === isPresent(alert))
  for (const isGone of [true, false]) {
    const ids = changed.filter((alert) => alert.isGone !== isGone).map(({ id }) => id)
    await setGone(connection, ownerId, { ids, isGone })
  }
  return changed.length > 0
}

function createPresenceTest(lines: readonly TextLine[]): (alert: AlertPlace) => boolean {
  const longest = lines.reduce((most, { start, end }) => Math.max(most, end - start), 0) + 2 * toleranceSeconds
  const bySecond = Map.groupBy(lines, ({ start }) => Math.floor(start))
  const matchers = new Map<string, KeywordMatcher>()

  function matcherOf({ word, isSimilar }: AlertPlace): KeywordMatcher {
    const key = `${isSimilar} ${word}`
    const matcher =
      matchers.get(key) ??
      createKeywordMatcher({ ...noKeywords(), custom: [word], sounds_like: isSimilar ? [word] : [] })
    matchers.set(key, matcher)
    return matcher
  }

  return (alert) => {
    const seconds = alert.timeMs / 1000
    const find = matcherOf(alert)
    for (let second = Math.floor(seconds - longest); second <= seconds + toleranceSeconds; second += 1) {
      for (const line of bySecond.get(second) ?? []) {
        const isNear = line.start <= seconds + toleranceSeconds && line.end >= seconds - toleranceSeconds
        if (isNear && line.isTranslation === alert.isTranslation && find(line.text, line.language).length > 0)
          return true
      }
    }
    return false
  }
}
