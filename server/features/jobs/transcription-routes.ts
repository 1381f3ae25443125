import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { defaultTranscriptionLanguage, type TranscriptionLanguageChoice } from '#contract/languages.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { latestDone, listJobsOfRecordings } from '#data/jobs/results.ts'
import {
  diarizationKey,
  spokenLanguages,
  transcriptionKey,
  type HeardLanguages,
  type SeparationChoice,
} from '#data/jobs/work-keys.ts'
import type { RecordingDocument } from '#data/recordings/recording-model.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { correctDialogue } from '../recordings/correct-results.ts'
import { findCorrections } from '../recordings/speaker-corrections.ts'
import { requireTranscription } from './capabilities.ts'
import { answerWork, startWork, toObjectId } from './long-work.ts'
import type { WorkServices } from '../work/services.ts'

/** POST /api/transcribe and POST /api/speaker-diarization. */
export function mountTranscription(router: AppRouter, services: WorkServices): void {
  route(router, api.audio.transcribe, async ({ body, user, ctx }) => {
    const recording = await requireRecording(services, user.id, body.file_id)
    const choice = { ...languagesOf(body), ...separationOf(recording, body), names: body.names }
    await requireTranscription(services.connection, spokenLanguages(choice))
    const job = await startWork(
      services,
      {
        ownerId: recording.ownerId,
        recordingId: recording._id,
        params: { kind: 'transcribe', ...choice },
        workKey: transcriptionKey(body.file_id, choice),
      },
      { isForced: body.force },
    )
    return answerWork(services, ctx, job, 'transcribe')
  })

  route(router, api.audio.diarize, async ({ body, user, ctx }) => {
    const recording = await requireRecording(services, user.id, body.file_id)
    const hasText = body.with_transcription
    const choice = await dialogueChoice(services.queue, recording, body)
    if (hasText) await requireTranscription(services.connection, spokenLanguages(choice))
    const job = await startWork(
      services,
      {
        ownerId: recording.ownerId,
        recordingId: recording._id,
        params: { kind: 'diarize', hasText, ...choice },
        workKey: diarizationKey(body.file_id, hasText ? choice : null, choice),
      },
      { isForced: body.force },
    )
    const answer = await answerWork(services, ctx, job, 'diarize')
    if ('job_id' in answer || answer.transcription_id === undefined) return answer
    return correctDialogue(answer, await findCorrections(services.queue, job, answer.transcription_id))
  })
}

interface LanguagesAsked {
  language?: TranscriptionLanguageChoice | undefined
  channel_languages?: TranscriptionLanguageChoice[] | undefined
}

interface SeparationAsked {
  speaker_count?: number | undefined
  split_voices?: boolean[] | undefined
}

function languagesOf({ language = defaultTranscriptionLanguage, channel_languages }: LanguagesAsked): HeardLanguages {
  return { language, channelLanguages: channel_languages ?? null }
}

/** What has a meaning for the recording: a number of speakers for one channel, channels to split for two. */
function separationOf(
  { isStereo }: Pick<RecordingDocument, 'isStereo'>,
  { speaker_count, split_voices = [] }: SeparationAsked,
): SeparationChoice {
  return isStereo
    ? { speakerCount: null, splitVoices: split_voices }
    : { speakerCount: speaker_count ?? null, splitVoices: [] }
}

/** What was asked for; without a word about languages or speakers, that of the latest transcription, so that its words are used. */
async function dialogueChoice(
  queue: Queue,
  recording: RecordingDocument,
  asked: LanguagesAsked & SeparationAsked,
): Promise<HeardLanguages & SeparationChoice> {
  const latest = latestDone(await listJobsOfRecordings(queue, recording.ownerId, [recording._id]), 'transcribe')
  const params = latest && JobParams.parse(latest.params)
  const isTranscribed = params?.kind === 'transcribe'
  const hasLanguages = asked.language !== undefined || asked.channel_languages !== undefined
  const hasSeparation = asked.speaker_count !== undefined || asked.split_voices !== undefined
  const languages = isTranscribed && !hasLanguages ? params : languagesOf(asked)
  const separation = isTranscribed && !hasSeparation ? params : separationOf(recording, asked)
  return {
    language: languages.language,
    channelLanguages: languages.channelLanguages,
    speakerCount: separation.speakerCount,
    splitVoices: separation.splitVoices,
  }
}

async function requireRecording({ connection }: WorkServices, userId: string, id: string) {
  const recording = await findRecording(connection, toObjectId(userId), toObjectId(id))
  if (!recording) throw new AppError('not_found', 'Recording not found')
  return recording
}
