import { createHash } from 'node:crypto'
import type { Queue } from '#data/jobs/queue.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { IndexMaintenance } from '#data/search/maintain-index.ts'
import type { StoredLine } from '#data/search/stored-lines.ts'
import { readSearchedTexts, removeSearchEntries, saveTextSource, writeSearchEntry } from '#data/search/write-entry.ts'
import type { LibraryStep } from '../changed-recording.ts'
import type { RecordingText } from '../recording-text.ts'
import { findHitLines } from './write-hit-lines.ts'

/**
 * Incremented when the same text has to be indexed differently: the check of the library at the next start of an engine then finds that
 * entries are of an older format, and has them written again, one after the other. Until then they are found as before. 3: names by their
 * sound, and names of speakers.
 */
const indexFormat = 3

/** Creates the step that makes the lines and notes of a recording findable, and removes those of one that is gone. */
export function createSearchEntryWriter(
  { connection }: Queue,
  { relieve }: Pick<IndexMaintenance, 'relieve'>,
): LibraryStep {
  return async ({ id, ownerId, current }) => {
    if (!current) return removeSearchEntries(connection, ownerId, [id])
    // Before the text is read: what changes in between is written again then, never taken for written.
    const source = searchSource(current.recording, await current.readTextId())
    const before = (await readSearchedTexts(connection, [id])).get(id)
    if (before ? before.fingerprint !== '' && before.source === source : hasNoText(source)) return
    const lines = toStoredLines(await current.readText())
    const fingerprint = fingerprintOf(lines)
    if (before?.fingerprint === fingerprint && isOfThisFormat(before.source)) {
      await saveTextSource(connection, { ownerId, id }, { fingerprint, source })
      return
    }
    const { find } = await current.readKeywords()
    const hitLines = await findHitLines(lines, find)
    const text = { lines, hitLines, fingerprint, source, language: mainLanguage(lines) }
    const index = await writeSearchEntry(connection, { ownerId, id }, { ...text, isReplaced: before !== undefined })
    if (index) await relieve(ownerId, { index })
  }
}

/**
 * Returns what identifies the state of a recording that its searched lines are read from.
 *
 * @param text see identifyText
 */
export function searchSource(
  { annotationVersion = 0 }: Pick<RecordingRecord, 'annotationVersion'>,
  text: string,
): string {
  return `${indexFormat}:${annotationVersion} ${text}`
}

/** Returns whether an entry with this source was written as it would be now. Sources of the first format name none. */
function isOfThisFormat(source: string | undefined): boolean {
  return source?.startsWith(`${indexFormat}:`) === true
}

/** Returns whether a source is that of a recording that never had a transcription or a note: the search has no entry of it. */
export function hasNoText(source: string): boolean {
  return source === searchSource({}, '')
}

/** Returns what is searched in a recording: its lines in order, the names given to speakers, then its notes. */
function toStoredLines({ lines, speakers, notes }: RecordingText): StoredLine[] {
  return [
    ...lines.map(({ start, end, speaker, language, text, isTranslation }) => {
      const kind = isTranslation ? ('translation' as const) : ('line' as const)
      return { kind, start, end, speaker, language, text }
    }),
    ...speakers.map(({ name, start, end }) => {
      return { kind: 'speaker' as const, start, end, speaker: null, language: null, text: name }
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
    .update(JSON.stringify([1, lines]))
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
