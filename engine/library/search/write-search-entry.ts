import { createHash } from 'node:crypto'
import type { Queue } from '#data/jobs/queue.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import type { IndexMaintenance } from '#data/search/maintain-index.ts'
import type { StoredLine } from '#data/search/stored-lines.ts'
import { readFingerprint, removeSearchEntries, writeSearchEntry } from '#data/search/write-entry.ts'
import type { LibraryStep } from '../changed-recording.ts'
import { readKeywordSet } from '../keyword-set.ts'
import type { RecordingText } from '../recording-text.ts'
import { writeHitLines } from './write-hit-lines.ts'

/** Grows when the same text has to be indexed differently, so that every recording is written anew when it changes next. */
const indexFormat = 1

/** Creates the step that makes the lines and notes of a recording findable, and removes those of one that is gone. */
export function createSearchEntryWriter(
  { connection }: Queue,
  { relieve }: Pick<IndexMaintenance, 'relieve'>,
): LibraryStep {
  return async ({ id, ownerId, current }) => {
    if (!current) return removeSearchEntries(connection, ownerId, [id])
    const lines = toStoredLines(await current.readText())
    const fingerprint = fingerprintOf(lines)
    const before = await readFingerprint(connection, { ownerId, id })
    if (before === fingerprint || (before === null && lines.length === 0)) return
    await writeSearchEntry(connection, { ownerId, id }, { lines, fingerprint, language: mainLanguage(lines) })
    await writeHitLines(connection, { ownerId, id }, await readKeywordSet(connection, ownerId))
    // Deleted while its lines were written: the deletion may have been earlier than the last write.
    if (!(await findRecording(connection, ownerId, id))) await removeSearchEntries(connection, ownerId, [id])
    await relieve(ownerId)
  }
}

/** Returns what is searched in a recording: its lines in order, then its notes. */
function toStoredLines({ lines, notes }: RecordingText): StoredLine[] {
  return [
    ...lines.map(({ start, end, speaker, language, text, isTranslation }) => {
      const kind = isTranslation ? ('translation' as const) : ('line' as const)
      return { kind, start, end, speaker, language, text }
    }),
    ...notes
      .filter(({ text }) => text !== '')
      .map(({ timeMs, text }) => {
        return { kind: 'note' as const, start: timeMs / 1000, end: timeMs / 1000, speaker: null, language: null, text }
      }),
  ]
}

function fingerprintOf(lines: StoredLine[]): string {
  return createHash('sha256')
    .update(JSON.stringify([indexFormat, lines]))
    .digest('base64url')
}

/** Returns the language of most lines of the transcript. */
function mainLanguage(lines: StoredLine[]): string | null {
  const spoken = lines.filter(({ kind, language }) => kind === 'line' && language !== null)
  const counts = [...Map.groupBy(spoken, ({ language }) => language)].map(([language, { length }]) => ({
    language,
    length,
  }))
  return counts.toSorted((a, b) => b.length - a.length)[0]?.language ?? null
}
