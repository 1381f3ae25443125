import { dialogueTimeline } from '#contract/dialogue-timeline.ts'
import type { DiarizationResult } from '#contract/entities/job.ts'
import { spokenLanguages } from '#contract/spoken-language.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { listJobsOfRecordings, readResult } from '#data/jobs/results.ts'
import {
  separationKey,
  selectedLanguages,
  type LanguageChoice,
  type SpeechModelChoice,
  type SeparationChoice,
} from '#data/jobs/work-keys.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { listChannels } from '#engine/speech/channel-plan.ts'
import { separateVoices } from '#engine/speech/separate-voices.ts'
import { stageProgress } from '#engine/speech/result.ts'
import { labelVoices } from '#engine/speech/speaker-labels.ts'
import { decodeRecording } from './decode-recording.ts'
import type { JobOutcome, JobTask, JobContext } from './job-task.ts'
import { separationOptions, transcribeJob } from './transcribe.ts'

/**
 * Returns who said what and when. The words come from the named transcription, or else from a finished one in the requested languages with
 * the requested speakers, with or without name hints; if there is none, the recording is transcribed without name hints.
 */
export async function handleDiarize(context: JobContext, task: JobTask<'diarize'>): Promise<JobOutcome> {
  if (!task.params.hasText) return { result: await listTurns(context, task), languages: [] }
  const transcription =
    (await readTranscription(context, task)) ??
    (await findTranscription(context, task)) ??
    (await transcribeJob(context, task, { ...task.params, names: [] }))
  return { result: toDialogue(transcription), languages: spokenLanguages(transcription) }
}

/** Returns the named transcription; null if none was named or it cannot be read. */
async function readTranscription({ queue }: JobContext, { job, params }: JobTask<'diarize'>) {
  if (params.transcriptionId === null) return null
  return readResult(queue, job.ownerId, params.transcriptionId, 'transcribe')
}

async function findTranscription({ queue }: JobContext, { job, params }: JobTask<'diarize'>) {
  if (!job.recordingId) return null
  const jobs = await listJobsOfRecordings(queue, job.ownerId, [job.recordingId])
  const finished = jobs.find(
    ({ state, params: transcribed }) => state === 'done' && isTranscriptionOf(transcribed, params),
  )
  return finished ? readResult(queue, job.ownerId, finished.id, 'transcribe') : null
}

function isTranscriptionOf(params: unknown, requested: LanguageChoice & SeparationChoice & SpeechModelChoice): boolean {
  const { data } = JobParams.safeParse(params)
  if (data?.kind !== 'transcribe') return false
  const isInLanguages = selectedLanguages(data).join() === selectedLanguages(requested).join()
  const isByModel = requested.model === null || data.model === requested.model
  return isInLanguages && isByModel && separationKey(data) === separationKey(requested)
}

function toDialogue({ segments, num_speakers, transcription_id }: TranscriptionResult): DiarizationResult {
  return {
    num_speakers,
    ...(transcription_id !== null && { transcription_id }),
    dialogue_timeline: dialogueTimeline(segments),
  }
}

/** Returns when each speaker speaks, without words. Throws if the voices cannot be separated: there is nothing else to show. */
async function listTurns(context: JobContext, task: JobTask<'diarize'>): Promise<DiarizationResult> {
  const { signal, report, params } = task
  const decoded = await decodeRecording(context, task)
  const { spans, bleed } = await detectSpeech(decoded, {
    signal,
    onProgress: (share) => report(stageProgress(share * detectionShare)),
  })
  let failure: unknown
  const { voices } = await separateVoices(decoded, spans, {
    ...separationOptions(context, task, params),
    onSeparationFailure: (error) => (failure = error),
    signal,
    onProgress: (share) => report(stageProgress(detectionShare + share * (1 - detectionShare))),
  })
  if (failure !== undefined) throw failure
  const channels = listChannels(decoded, { spans, bleed, voices, languages: [] })
  const turns = channels
    .flatMap(({ channel, spans: own, voices: found }) =>
      (found?.turns ?? own.map((span) => ({ ...span, voice: 0 }))).map((turn) => ({ ...turn, channel })),
    )
    .toSorted((a, b) => a.startMs - b.startMs)
  const labelled = labelVoices(channels, turns)
  const timeline = turns.map((turn) => ({
    speaker: labelled.find(({ isSpeakerOf }) => isSpeakerOf(turn))?.label ?? '',
    timestamp: turn.startMs / 1000,
    text: '',
  }))
  return { num_speakers: new Set(timeline.map(({ speaker }) => speaker)).size, dialogue_timeline: timeline }
}

/** Share of the progress for speech detection, which takes about a third as long as separating voices. */
const detectionShare = 0.25
