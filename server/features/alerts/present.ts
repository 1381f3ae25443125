import type { Alert, WatchList } from '#contract/alerts.ts'
import type { AlertRecord } from '#data/alerts/alert-record.ts'
import type { AlertRecordingRecord } from '#data/alerts/alerts.ts'
import type { WatchListRecord } from '#data/alerts/watch-lists.ts'

export function presentWatchList({ watchList, unread }: { watchList: WatchListRecord; unread: number }): WatchList {
  const { id, name, categories, words, texts, threshold, tags, isOn, createdAt, scan } = watchList
  return {
    id,
    name,
    categories,
    words,
    texts,
    threshold,
    tags,
    is_on: isOn,
    created_at: createdAt.toISOString(),
    unread,
    // Recordings may be added while it runs.
    scan: scan && { state: scan.state, done: scan.done, total: Math.max(scan.total, scan.done), raised: scan.raised },
  }
}

interface Names {
  watchLists: Map<string, string>
  recordings: Map<string, AlertRecordingRecord>
}

export function presentAlert(alert: AlertRecord, { watchLists, recordings }: Names): Alert {
  const { id, watchListId, recordingId } = alert
  const recording = recordings.get(recordingId)
  return {
    id,
    watch_list: { id: watchListId, name: watchLists.get(watchListId) ?? '' },
    recording: { id: recordingId, name: recording?.name ?? '', is_capped: recording?.isCapped ?? false },
    time: alert.timeMs / 1000,
    speaker: alert.speaker,
    language: alert.language,
    word: alert.word,
    category: alert.category,
    is_similar: alert.isSimilar,
    is_translation: alert.isTranslation,
    sentence: alert.sentence,
    mark: [alert.markStart, alert.markEnd],
    state: alert.state,
    is_gone: alert.isGone,
    created_at: alert.createdAt.toISOString(),
  }
}
