import { AppError } from '#contract/app-error.ts'
import type { HeardChannels } from '#contract/heard.ts'
import { maxMarksPerRecording, type LineMark, type MarkedLine } from '#contract/line-marks.ts'
import { findTouched, markLines, type MarkStatement } from '#contract/mark-lines.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import { heardRead, removeHeard, saveHeard, saveHeardShare, toHeard, type HeardKey } from '#data/heard/heard.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { createKeyedMutex } from '#data/keyed-mutex.ts'
import {
  findLineMarks,
  lineMarksRead,
  removeLineMarks,
  saveLineMarks,
  saveVerifiedShares,
  toLineMarks,
} from '#data/line-marks/line-marks.ts'
import { toLineMark, toStoredMark } from '#data/line-marks/stored-mark.ts'
import { updateReviewShares } from '#data/library/review-shares.ts'
import { removePart, replacePart } from '#data/holds/removals.ts'
import { markAnnotated } from '#data/recordings/annotations.ts'
import { readLifecycle } from '#data/recordings/lifecycle.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { recordingNotFound } from '#data/recordings/recordings.ts'
import { findPeople } from '#data/users/people.ts'
import { invalidInput } from '#server/http/parse.ts'
import { createWrittenLinesReader } from '../recordings/written-lines.ts'
import { countHeard, countVerified } from './count-reviewed.ts'
import { listPeople, presentNames } from './present-mark.ts'
import { createReviewedTextReader, type ReviewedText } from './reviewed-text.ts'

/** The length of a recording that a browser reports may differ from the decoder's by up to this much. */
const durationToleranceMs = 1_000
/** Far more than people write about a recording; keeps its document far below 16 MB. */
const maxMarkedCharacters = 4_000_000

/**
 * Creates the service for what people have heard, verified and doubted; callers have already checked who may read or change the recording.
 * Shares of the lines are counted with each change and stored with it, so that lists read no texts; if the text has changed since, they are
 * counted again when the recording is opened.
 */
export function createReview(queue: Queue) {
  const { connection } = queue
  const texts = createReviewedTextReader(queue, createWrittenLinesReader(queue))
  const runExclusive = createKeyedMutex()

  return {
    /** Returns the database read for what a person has heard of a recording. */
    heardRead: (listener: HeardKey) => heardRead(connection, listener),

    /** Presents what a person has heard of a recording, from its stored form. */
    async presentHeard(
      recording: RecordingRecord,
      userId: string,
      stored: Parameters<typeof toHeard>[0],
    ): Promise<HeardChannels> {
      const listener = listenerOf(recording, userId)
      const { channels, revision, countedText } = toHeard(stored)
      if (revision > 0 && countedText !== (await texts.identify(recording))) {
        await saveHeardShare(connection, listener, { revision, ...countHeard(channels, await texts.read(recording)) })
        await updateReviewShares(connection, listener)
      }
      return channels
    },

    /** Adds to what a person has heard. Throws `invalid_input` for channels that the recording does not have and spans beyond its end. */
    async addHeard(recording: RecordingRecord, userId: string, added: HeardChannels): Promise<HeardChannels> {
      const listener = listenerOf(recording, userId)
      const fitting = fitSpans(recording, added)
      const text = await texts.read(recording)
      const channels = await saveHeard(connection, listener, {
        added: fitting,
        countShare: (heard) => countHeard(heard, text),
      })
      if (userId === recording.ownerId) await updateReviewShares(connection, listener)
      if ((await readLifecycle(connection, listener)) === 'gone') {
        await removeHeard(connection, listener)
        throw recordingNotFound()
      }
      return channels
    },

    /** Returns the database read for the marks on the lines of a recording. */
    marksRead: (owner: Pick<HeardKey, 'ownerId' | 'recordingId'>) => lineMarksRead(connection, owner),

    /** Presents the marks on the lines of a recording, from their stored form. */
    async presentMarks(recording: RecordingRecord, stored: Parameters<typeof toLineMarks>[0]): Promise<LineMark[]> {
      const owner = ownerOf(recording)
      const { marks: found, revision, countedText } = await toLineMarks(stored)
      const marks = found.map((mark) => toLineMark(mark))
      if (revision > 0 && countedText !== (await texts.identify(recording))) {
        const counted = countVerified(marks, await texts.read(recording))
        await saveVerifiedShares(connection, owner, { revision, ...counted })
        await updateReviewShares(connection, owner)
      }
      return present(marks)
    },

    /** Marks lines and returns their marks. Throws `invalid_input`, and `conflict` if there would be too many. */
    async mark(
      recording: RecordingRecord,
      userId: string,
      said: Pick<MarkStatement, 'lines' | 'isVerified' | 'doubt'>,
    ): Promise<LineMark[]> {
      assertTimes(said.lines)
      const [text, now] = await Promise.all([texts.read(recording), readDatabaseTime(connection)])
      const statement = { ...said, by: { id: userId, name: '' }, at: now.toISOString() }
      const marks = await runExclusive(recording.id, () => changeMarks(ownerOf(recording), { text, statement }))
      return present([...findTouched(marks, said.lines)])
    },
  }

  /** Returns all marks after a change. Throws `conflict` if there would be too many, and `not_found`. */
  async function changeMarks(
    owner: { ownerId: string; recordingId: string },
    { text, statement }: { text: ReviewedText; statement: MarkStatement },
  ): Promise<LineMark[]> {
    for (;;) {
      const stored = await findLineMarks(connection, owner)
      const before = stored.marks.map((mark) => toLineMark(mark))
      const marks = markLines(before, statement)
      if (marks === before) return marks
      if (marks.length > before.length) assertRoom(marks)
      const counted = countVerified(marks, text)
      const next = { marks: marks.map(toStoredMark), revision: stored.revision + 1, ...counted }
      // Another server was faster. This terminates, because that server has made progress.
      if (!(await saveMarks(owner, { before, marks, next }))) continue
      await updateReviewShares(connection, owner)
      if (await markAnnotated(connection, owner)) return marks
      // A deletion may already have passed the marks.
      await removeLineMarks(connection, owner)
      throw recordingNotFound()
    }
  }

  /** Throws `on_hold` if somebody withdraws statements about a recording on hold. A doubt that is replaced by another is kept. */
  async function saveMarks(
    owner: { ownerId: string; recordingId: string },
    { before, marks, next }: { before: LineMark[]; marks: LineMark[]; next: Parameters<typeof saveLineMarks>[2] },
  ): Promise<boolean> {
    const save = () => saveLineMarks(connection, owner, next)
    if (isLess(countStatements(marks), countStatements(before))) return removePart(connection, owner, save)
    const stays = new Set(marks.map(({ doubt }) => doubt))
    const replaced = before.filter(({ doubt }) => doubt !== null && !stays.has(doubt))
    if (replaced.length === 0) return save()
    return replacePart(connection, owner, { kind: 'doubt', state: replaced, replace: save })
  }

  async function present(marks: LineMark[]): Promise<LineMark[]> {
    return presentNames(marks, await findPeople(connection, listPeople(marks)))
  }
}

export type ReviewService = ReturnType<typeof createReview>

function countStatements(marks: LineMark[]) {
  return {
    verified: marks.reduce((sum, { verified }) => sum + verified.length, 0),
    doubts: marks.filter(({ doubt }) => doubt !== null).length,
  }
}

function isLess(after: ReturnType<typeof countStatements>, before: ReturnType<typeof countStatements>): boolean {
  return after.verified < before.verified || after.doubts < before.doubts
}

function fitSpans({ channels, durationMs }: RecordingRecord, heard: HeardChannels): HeardChannels {
  if (heard.length > channels) throw invalidInput(['The recording has fewer channels'])
  const spans = heard.flat()
  if (spans.some(([start, end]) => end <= start)) throw invalidInput(['A span must end after it begins'])
  if (spans.some(([, end]) => end > durationMs + durationToleranceMs)) {
    throw invalidInput(['A span must end within the recording'])
  }
  return heard
}

/** The engine may have found speech of zero length, and after the end of the recording. */
function assertTimes(lines: MarkedLine[]): void {
  if (lines.some(({ start, end }) => end < start)) throw invalidInput(['A line must not end before it begins'])
}

function assertRoom(marks: LineMark[]): void {
  const characters = marks.reduce((sum, { text, doubt }) => sum + text.length + (doubt?.reason.length ?? 0), 0)
  if (marks.length <= maxMarksPerRecording && characters <= maxMarkedCharacters) return
  const max = maxMarksPerRecording.toLocaleString('en')
  throw new AppError(
    'conflict',
    `At most ${max} lines of a recording can be verified or doubted, of all versions together`,
  )
}

function listenerOf(recording: RecordingRecord, userId: string): HeardKey {
  return { ...ownerOf(recording), userId }
}

function ownerOf({ ownerId, id }: RecordingRecord) {
  return { ownerId, recordingId: id }
}
