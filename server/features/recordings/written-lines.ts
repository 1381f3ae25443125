import { AppError } from '#contract/app-error.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findJob, readResult } from '#data/jobs/results.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'

/** What changes to a transcription are checked against: its lines as the engine wrote them, without their words. */
export interface WrittenLines {
  segments: Pick<Segment, 'start' | 'end' | 'text' | 'speaker' | 'channel'>[]
  /** Labels that a line may have; empty if the recording has one voice. */
  speakers: string[]
}

/** Throws `not_found` if the recording has no such transcription. */
export type WrittenLinesReader = (recording: RecordingRecord, transcriptionId: string) => Promise<WrittenLines>

/** How long lines are kept after they were last read: people save every few seconds while editing. */
const keptMs = 60_000

/**
 * Creates a reader that keeps what it has read for a minute. An hour-long transcription takes longer to read than a change takes to check
 * and store, and it never changes; whether it belongs to the caller is checked each time.
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
    // A failed read is tried again next time.
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
