import { editableSegments, type EditableSegment } from '#contract/line-edits.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { findEditsRevision, findLineEdits } from '#data/line-edits/line-edits.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import type { WrittenLinesReader } from '../recordings/written-lines.ts'

/** The current lines of a recording. `id` identifies the version and its edits, so that counts of an older text can be recognized. */
export interface ReviewedText {
  id: string
  lines: Pick<EditableSegment, 'start' | 'end' | 'channel' | 'text'>[]
}

/** Creates the reader of the texts on which review counts are based. */
export function createReviewedTextReader(queue: Queue, readWrittenLines: WrittenLinesReader) {
  async function findCurrentId(recording: RecordingRecord): Promise<string | undefined> {
    const jobs = await listJobsOfRecordings(queue, recording.ownerId, [recording.id])
    return currentTranscription(recording, jobs)?.id
  }

  return {
    /** Returns the id of the current text without its lines; empty before the first transcription. */
    async identify(recording: RecordingRecord): Promise<string> {
      const transcriptionId = await findCurrentId(recording)
      if (transcriptionId === undefined) return ''
      return toId(transcriptionId, await findEditsRevision(queue.connection, recording.ownerId, transcriptionId))
    },

    /** Returns the current text; it has no lines before the first transcription. */
    async read(recording: RecordingRecord): Promise<ReviewedText> {
      const transcriptionId = await findCurrentId(recording)
      if (transcriptionId === undefined) return { id: '', lines: [] }
      const [{ segments }, edits] = await Promise.all([
        readWrittenLines(recording, transcriptionId),
        findLineEdits(queue.connection, recording.ownerId, transcriptionId),
      ])
      const lines = editableSegments({ segments, speaker_transcriptions: [] }, edits)
      return { id: toId(transcriptionId, edits.revision), lines }
    },
  }
}

function toId(transcriptionId: string, revision: number): string {
  return `${transcriptionId}:${revision}`
}
