import type { Job } from '#contract/entities/job.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { noLineEdits } from '#contract/line-edits.ts'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment, TranscriptionResult, Word } from '#contract/transcription.ts'

const id = '0123456789abcdef01234567'

/** Creates a segment of a speaker; the words named in `unsure` have a confidence of 0.2, the others of 0.95. */
export function makeSegment(text: string, options: Partial<Segment> & { unsure?: string[] } = {}): Segment {
  const { unsure = [], ...segment } = options
  const words = text.split(' ').map((word): Word => {
    return { text: word, start: 0, end: 1, confidence: unsure.includes(word) ? 0.2 : 0.95 }
  })
  return { start: 0, end: 1, speaker: 'Speaker A', channel: 0, text, confidence: 0.9, words, ...segment }
}

/** Creates the transcript of a call between two people, Pashto on the left and English on the right. */
export function makeTranscript(segments: Segment[], overrides: Partial<TranscriptionResult> = {}): TranscriptionResult {
  const speakers = [
    { speaker: 'Speaker A', channel: 0, detected_language: 'ps', language_probability: 0.97 },
    { speaker: 'Speaker B', channel: 1, detected_language: 'en', language_probability: 0.88 },
  ]
  return {
    transcription_id: id,
    transcription: segments.map(({ text }) => text).join('\n'),
    detected_language: 'ps',
    language_probability: 0.97,
    num_speakers: 2,
    segments,
    speaker_transcriptions: speakers.map((speaker) => {
      const own = segments.filter(({ channel }) => channel === speaker.channel)
      return {
        ...speaker,
        transcription: own.map(({ text }) => text).join(' '),
        segment_count: own.length,
        segments: own,
      }
    }),
    duration: 60,
    model: 'test',
    warnings: [],
    ...overrides,
  }
}

/** Creates a stereo recording with its transcript. */
export function makeRecording(transcription: TranscriptionResult | null, overrides: Partial<RecordingDetails> = {}) {
  const recording: RecordingDetails = {
    id,
    name: 'call.wav',
    size: 1000,
    duration: 60,
    channels: 2,
    is_stereo: true,
    peaks: [[0], [0]],
    language: null,
    languages: [],
    transcription_id: transcription?.transcription_id ?? null,
    target_languages: [],
    job: null,
    created_at: '2026-01-02T03:04:05.000Z',
    access: 'owner',
    line_edits: noLineEdits,
    transcription_request: null,
    version_count: transcription ? 1 : 0,
    transcription,
    translations: [],
    diarization: null,
    speaker_corrections: noSpeakerCorrections,
    speaker_corrections_version: 0,
    ...overrides,
  }
  return recording
}

/** Creates a running transcription. */
export function makeRunningJob(progress: Job['progress'], overrides: Partial<Job> = {}): Job {
  return {
    id: '0123456789abcdef01234568',
    kind: 'transcribe',
    state: 'running',
    recording_id: id,
    attempt: 1,
    queue_position: null,
    progress,
    error: null,
    target_language: null,
    created_at: '2026-01-02T03:04:05.000Z',
    started_at: '2026-01-02T03:04:06.000Z',
    finished_at: null,
    ...overrides,
  }
}
