import { AppError } from '#contract/app-error.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findJob, readResult } from '#data/jobs/results.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'

/** What changes of a transcription are checked against: its lines as the engine wrote them, without their words. */
export interface WrittenLines {
  segments: Pick<Segment, 'start' | 'end' | 'text' | 'speaker' | 'channel'>[]
  /** Labels that a line may have; none where the recording has one voice. */
  speakers: string[]
}

/** Throws `not_found` for a transcription that the recording lacks. */
export type WrittenLinesReader = (recording: RecordingRecord, transcriptionId: string) => Promise<WrittenLines>

/** How long lines are kept after they were last read: people who edit save every few seconds. */
const keptMs = 60_000

/**
 * Creates a reader that keeps what it read for a minute. A transcription of an hour takes longer to read than a change to check and store,
 * and never changes; whether it is the caller's is looked up each time.
 */
export function createWrittenLinesReader(queue: Queue): WrittenLinesReader {
  const kept = new Map<string, { reading: Promise<WrittenLines | null>; timer: NodeJS.Timeout }>()

  async function read(ownerId: string, id: string): Promise<WrittenLines | null> {
    const known = kept.get(id)
    if (known) {
      known.timer.refresh()
      return known.reading
    }
    const reading = readResult(queue, ownerId, id, 'transcribe').then((result) => result && toWrittenLines(result))
    kept.set(id, { reading, timer: setTimeout(() => kept.delete(id), keptMs).unref() })
    // What could not be read is read again.
    reading.catch(() => kept.delete(id))
    return reading
  }

  return async ({ ownerId, id }, transcriptionId) => {
    const job = await findJob(queue, ownerId, transcriptionId)
    const isOwn = job?.recordingId === id && job.kind === 'transcribe' && job.state === 'done'
    const lines = isOwn ? await read(ownerId, transcriptionId) : null
    if (!lines) throw new AppError('not_found', 'Transcription not found')
    return lines
  }
}

function toWrittenLines({ segments, speaker_transcriptions }: TranscriptionResult): WrittenLines {
  const hasSpeakers = segments.some(({ speaker }) => speaker !== undefined)
  return {
    segments: segments.map(({ start, end, text, speaker, channel }) => ({ start, end, text, speaker, channel })),
    speakers: hasSpeakers ? speaker_transcriptions.map(({ speaker }) => speaker) : [],
  }
}
