import { maxAlertsPerRecording } from '#contract/alerts.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readKeywordsInUse } from '#data/keywords/keyword-lists.ts'
import { insertAlerts, saveRun, type AlertPlace, type NewAlert } from '#data/alerts/raised-alerts.ts'
import type { WatchListRecord } from '#data/alerts/watch-lists.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { RecordingText } from '../recording-text.ts'
import { createHitFinder } from './find-watched-hits.ts'
import { matchPlaces } from './match-places.ts'

/** Returns whether a watch list applies to a recording. */
export function isWatched({ tags }: Pick<WatchListRecord, 'tags'>, recording: RecordingRecord): boolean {
  return tags.length === 0 || tags.some((tag) => recording.tags?.includes(tag))
}

interface Application {
  recording: RecordingRecord
  text: RecordingText
  watchLists: WatchListRecord[]
  /** The alerts that the recording has. */
  known: AlertPlace[]
  /** The job that finished; null for a scan of the library or a repair by the nightly check. */
  jobId: string | null
  /** Whether the alerts are reported by mail. */
  isDigestDue: boolean
}

/**
 * Raises an alert for each watch-list hit in a recording that does not have one yet, so calling it twice raises nothing new. Returns how
 * many were raised. The caller checks that the recording is still there afterwards.
 */
export async function applyWatchLists(
  connection: DatabaseConnection,
  { recording, text, watchLists, known, jobId, isDigestDue }: Application,
): Promise<number> {
  const owner = { ownerId: recording.ownerId, recordingId: recording.id }
  const findHits = createHitFinder(text.lines, await readKeywordsInUse(connection, recording.ownerId))
  const added = watchLists.flatMap((watchList): NewAlert[] => {
    const hits = findHits(watchList)
    if (hits.length < watchList.threshold) return []
    const own = known.filter(({ watchListId }) => watchListId === watchList.id)
    const matches = matchPlaces(own, hits)
    const nextKey = createKeyGenerator(own)
    return hits
      .filter((hit) => !matches.has(hit))
      .map((hit) => ({ ...hit, watchListId: watchList.id, key: nextKey(hit), jobId, isDigestDue }))
  })
  if (added.length === 0) return 0
  const room = Math.max(0, maxAlertsPerRecording - known.length)
  const isCapped = added.length > room
  const inOrder = added.toSorted((a, b) => a.timeMs - b.timeMs)
  const inserted = await insertAlerts(connection, owner, inOrder.slice(0, room))
  if (isCapped) await saveRun(connection, owner, { isCapped })
  return inserted
}

/** The same text gives the same keys, so that only one of two engines raises an alert; a number distinguishes hits at the same moment. */
function createKeyGenerator(
  known: Pick<AlertPlace, 'key'>[],
): (hit: Pick<NewAlert, 'word' | 'timeMs' | 'side'>) => string {
  const taken = new Set(known.map(({ key }) => key))
  return ({ word, timeMs, side }) => {
    for (let number = 1; ; number += 1) {
      const key = `${timeMs}:${side ?? ''}:${number}:${word}`
      if (taken.has(key)) continue
      taken.add(key)
      return key
    }
  }
}
