import type { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { editing } from '#contract/endpoints/editing.ts'
import type { EditedLine, LineChange, LineEdit, LineEdits } from '#contract/line-edits.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { replacePart } from '#data/holds/removals.ts'
import { findLineEdits, removeLineEdits, saveLineEdits } from '#data/line-edits/line-edits.ts'
import { markChanged } from '#data/recordings/annotations.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { recordingNotFound } from '#data/recordings/recordings.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { WrittenLines, WrittenLinesReader } from './written-lines.ts'

type ChangeRequest = z.infer<typeof editing.changeLines.body>

/** As many as can be translated, and far more than is said in any recording. */
const maxEditedCharacters = 1_000_000

/**
 * Changes lines of a transcription of the recording, all or none. Other lines' changes made since the caller last looked are kept. Throws
 * `not_found` if the recording has no such transcription, `invalid_input` if a change does not fit it, and `conflict` if one of the lines
 * was changed since; a repeated request, which finds its own change, is answered like the first. For a recording on hold, edits that are
 * replaced or undone are kept.
 */
export async function changeLines(
  { queue, readWrittenLines }: { queue: Queue; readWrittenLines: WrittenLinesReader },
  recording: RecordingRecord,
  { transcription_id: transcriptionId, revision: seen, changes }: ChangeRequest,
): Promise<LineEdits> {
  const { ownerId, id: recordingId } = recording
  const written = await readWrittenLines(recording, transcriptionId)
  assertFits(changes, written, recording)
  const wanted = changes.map((change) => normalize(change, written))
  for (;;) {
    const stored = await findLineEdits(queue.connection, ownerId, transcriptionId)
    const next = mergeChanges(stored, wanted, seen)
    if (next === stored) return stored
    // Terminates, because the winner of each race has made progress.
    const save = () => saveLineEdits(queue.connection, { ownerId, recordingId, transcriptionId }, next)
    const replaced = stored.edits.filter((edit) => edit.lines !== null && !next.edits.includes(edit))
    const state = { transcription_id: transcriptionId, edits: replaced }
    const replace = { kind: 'lines', state, replace: save } as const
    const isSaved = replaced.length === 0 ? save() : replacePart(queue.connection, { ownerId, recordingId }, replace)
    if (!(await isSaved)) continue
    if (await markChanged(queue.connection, { ownerId, recordingId })) return next
    // A deletion may already have passed the edits.
    await removeLineEdits(queue.connection, { ownerId, recordingId })
    throw recordingNotFound()
  }
}

/** Returns the edits after applying the changes; `stored` itself if the changes have no effect. */
function mergeChanges(stored: LineEdits, changes: LineChange[], seen: number): LineEdits {
  const made = changes.filter((change) => !isMade(change, stored))
  if (made.length === 0) return stored
  const touched = new Set(made.flatMap(({ from }) => from))
  const overlapping = stored.edits.filter(({ from }) => from.some((index) => touched.has(index)))
  if (seen > stored.revision || overlapping.some(({ revision }) => revision > seen)) throw changedMeanwhile()
  for (const { from, lines } of overlapping) if (lines !== null) assertNamesAll(from, touched)
  const revision = stored.revision + 1
  const others = stored.edits.flatMap((edit): LineEdit[] => {
    const from = edit.from.filter((index) => !touched.has(index))
    if (from.length === edit.from.length) return [edit]
    return from.length === 0 ? [] : [{ ...edit, from }]
  })
  const edits = [...others, ...made.map((change) => ({ ...change, revision }))]
  const characters = edits.flatMap(({ lines }) => lines ?? []).reduce((sum, { text }) => sum + text.length, 0)
  if (characters > maxEditedCharacters) {
    throw invalidInput([`The edited lines of a transcript have at most ${maxEditedCharacters} characters`])
  }
  return { revision, edits: edits.toSorted((a, b) => (a.from[0] ?? 0) - (b.from[0] ?? 0)) }
}

/** Returns whether the lines are already as the change would make them. */
function isMade({ from, lines }: LineChange, { edits }: LineEdits): boolean {
  const named = new Set(from)
  const overlapping = edits.filter((edit) => edit.from.some((index) => named.has(index)))
  if (lines === null) return overlapping.every((edit) => edit.lines === null)
  const [same] = overlapping
  return same !== undefined && same.from.join() === from.join() && areSame(lines, same.lines)
}

/** If some were missing, part of what was edited together would come back from the engine's lines and appear twice. */
function assertNamesAll(edited: number[], touched: ReadonlySet<number>): void {
  if (edited.every((index) => touched.has(index))) return
  throw invalidInput([`Lines ${edited.join(', ')} were edited together: a request must change all of them`])
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', 'These lines were changed in the meantime', {
    help: 'Load the recording again to see the change, then repeat yours.',
  })
}

/** Converts a change back to exactly what the engine wrote into an undo of the edit. */
function normalize({ from, lines }: LineChange, { segments }: WrittenLines): LineChange {
  const written = from.flatMap((index) => segments[index] ?? [])
  return { from, lines: areSame(lines, written) ? null : lines }
}

function areSame(lines: EditedLine[] | null, others: WrittenLines['segments'] | null): boolean {
  if (lines?.length !== others?.length) return false
  return (lines ?? []).every((line, index) => {
    const other = others?.[index]
    return (['start', 'end', 'text', 'speaker'] as const).every((field) => line[field] === other?.[field])
  })
}

function assertFits(changes: LineChange[], { segments, speakers }: WrittenLines, recording: RecordingRecord): void {
  const named = changes.flatMap(({ from }) => from)
  const missing = named.find((index) => index >= segments.length)
  if (missing !== undefined) throw invalidInput([`This transcript has no line ${missing}`])
  if (new Set(named).size < named.length) throw invalidInput(['A line can be changed once in a request'])
  for (const { from, lines } of changes) {
    if (!isAscending(from)) throw invalidInput(['The lines of a change must be named in their order'])
    const written = from.flatMap((index) => segments[index] ?? [])
    if (lines) assertTimes(lines, { written, durationSeconds: recording.durationMs / 1000 })
    const unknown = lines?.find(({ speaker }) => speaker !== undefined && !speakers.includes(speaker))
    if (unknown) throw invalidInput([`This transcript has no speaker "${unknown.speaker}"`])
  }
}

function assertTimes(
  lines: EditedLine[],
  { written, durationSeconds }: { written: WrittenLines['segments']; durationSeconds: number },
): void {
  // The engine may have found speech that ends, or even begins, where it would not be allowed here.
  const isWritten = (line: EditedLine) => written.some(({ start, end }) => line.start === start && line.end === end)
  const last = Math.max(durationSeconds, ...written.map(({ end }) => end))
  if (lines.some((line) => line.start >= line.end && !isWritten(line)))
    throw invalidInput(['A line must end after it begins'])
  if (lines.some(({ end }) => end > last)) throw invalidInput(['A line must end within the recording'])
  if (!isAscending(lines.map(({ start }) => start))) throw invalidInput(['Lines must be in order of time'])
}

function isAscending(numbers: number[]): boolean {
  return numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0))
}
