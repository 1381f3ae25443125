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
 * Incremented when the same text must be indexed differently: the library check at the next start of an engine then finds entries in an
 * older format and rewrites them one after the other. Until then they are found as before. 3: names by their sound, and names of speakers.
 */
const indexFormat = 3

/** Creates the step that makes the lines and notes of a recording findable, and removes those of a deleted recording. */
export function createSearchEntryWriter(
  { connection }: Queue,
  { relieve }: Pick<IndexMaintenance, 'relieve'>,
): LibraryStep {
  return async ({ id, ownerId, current }) => {
    if (!current) return removeSearchEntries(connection, ownerId, [id])
    // Read before the text: a change in between is then written again, never mistaken for written.
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
 * Returns an identifier of the state of a recording from which its searched lines are read.
 *
 * @param text see identifyText
 */
export function searchSource(
  { annotationVersion = 0 }: Pick<RecordingRecord, 'annotationVersion'>,
  text: string,
): string {
  return `${indexFormat}:${annotationVersion} ${text}`
}

/** Returns whether an entry with this source was written in the current format. Sources in the first format name no format. */
function isOfThisFormat(source: string | undefined): boolean {
  return source?.startsWith(`${indexFormat}:`) === true
}

/** Returns whether a source belongs to a recording that never had a transcription or a note: the search has no entry for it. */
export function hasNoText(source: string): boolean {
  return source === searchSource({}, '')
}

/** Returns the searched texts of a recording: its lines in order, the names given to speakers, then its notes. */
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

/** Returns the most frequent language among the lines of the transcript. */
function mainLanguage(lines: StoredLine[]): string | null {
  const spoken = lines.filter(({ kind, language }) => kind === 'line' && language !== null)
  const counts = [...Map.groupBy(spoken, ({ language }) => language)].map(([language, { length }]) => ({
    language,
    length,
  }))
  return counts.toSorted((a, b) => b.length - a.length)[0]?.language ?? null
}
