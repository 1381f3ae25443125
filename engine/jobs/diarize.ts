import { AppError } from '#contract/app-error.ts'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { TranscriptionProgress, TranscriptionResult } from '#contract/transcription.ts'
import { JobParams } from '#data/queue/job-params.ts'
import { listJobsOfRecordings, readResult } from '#data/queue/results.ts'
import { spokenLanguages, type HeardLanguages } from '#data/queue/work-keys.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { decodeRecording } from './decode-recording.ts'
import type { JobOutcome, JobTask, JobTools } from './job-task.ts'
import { languagesOf, transcribeJob } from './transcribe.ts'

const speakers = ['Speaker A', 'Speaker B']

/**
 * Who said what when, for a recording with a speaker on each channel. The words are those of the finished transcription in the
 * languages asked for, with names or without, where there is one; otherwise the recording is transcribed without names.
 */
export async function handleDiarize(tools: JobTools, task: JobTask<'diarize'>): Promise<JobOutcome> {
  if (!task.params.hasText) return { result: await listTurns(tools, task), languages: [] }
  const transcription =
    (await findTranscription(tools, task)) ??
    (await transcribeJob(tools, task, { language: spokenLanguages(task.params) }))
  return { result: toDialogue(transcription), languages: languagesOf(transcription) }
}

async function findTranscription({ queue }: JobTools, { job, params }: JobTask<'diarize'>) {
  if (!job.recordingId) return null
  const jobs = await listJobsOfRecordings(queue, job.ownerId, [job.recordingId])
  const finished = jobs.find(({ state, params: heard }) => state === 'done' && isTranscriptionIn(heard, params))
  return finished ? readResult(queue, job.ownerId, finished._id, 'transcribe') : null
}

function isTranscriptionIn(params: unknown, languages: HeardLanguages): boolean {
  const { data } = JobParams.safeParse(params)
  return data?.kind === 'transcribe' && spokenLanguages(data).join() === spokenLanguages(languages).join()
}

function toDialogue({ segments, num_speakers }: TranscriptionResult): DiarizationResult {
  return {
    num_speakers,
    dialogue_timeline: segments.map(({ speaker, start, text }) => ({
      speaker: speaker ?? 'Speaker A',
      timestamp: start,
      text,
    })),
  }
}

/** When each channel speaks, without words. */
async function listTurns(tools: JobTools, task: JobTask<'diarize'>): Promise<DiarizationResult> {
  const decoded = await decodeRecording(tools, task)
  if (decoded.channelCount === 1 || decoded.isDualMono) {
    throw new AppError('not_stereo', 'This recording has one channel.')
  }
  const spans = await detectSpeech(decoded, {
    signal: task.signal,
    onProgress: (share) => task.report(toProgress(share)),
  })
  const turns = spans.flatMap((own, channel) =>
    own.map(({ startMs }) => ({ speaker: speakers[channel] ?? '', timestamp: startMs / 1000, text: '' })),
  )
  return {
    num_speakers: new Set(turns.map(({ speaker }) => speaker)).size,
    dialogue_timeline: turns.toSorted((a, b) => a.timestamp - b.timestamp),
  }
}

/** Progress without words: hundredths of the recording. */
function toProgress(share: number): TranscriptionProgress {
  return {
    current_segment: Math.round(share * 100),
    total_segments: 100,
    detected_language: null,
    language_probability: null,
    latest_segment: null,
    partial_text: '',
    partial_segments: [],
  }
}
