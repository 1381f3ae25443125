import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { defaultTranscriptionLanguage, type TranscriptionLanguageChoice } from '#contract/languages.ts'
import { JobParams } from '#data/queue/job-params.ts'
import type { Queue } from '#data/queue/queue.ts'
import { latestDone, listJobsOfRecordings } from '#data/queue/results.ts'
import { diarizationKey, spokenLanguages, transcriptionKey, type HeardLanguages } from '#data/queue/work-keys.ts'
import type { RecordingDocument } from '#data/recordings/recording-model.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { requireTranscription } from './capabilities.ts'
import { answerWork, startWork, toObjectId } from './long-work.ts'
import type { WorkServices } from '../work/services.ts'

/** POST /api/transcribe and POST /api/speaker-diarization. */
export function mountTranscription(router: AppRouter, services: WorkServices): void {
  route(router, api.audio.transcribe, async ({ body, user, ctx }) => {
    const recording = await requireRecording(services, user.id, body.file_id)
    const languages = languagesOf(body)
    await requireTranscription(services.connection, spokenLanguages(languages))
    const job = await startWork(
      services,
      {
        ownerId: recording.ownerId,
        recordingId: recording._id,
        params: { kind: 'transcribe', ...languages, names: body.names },
        workKey: transcriptionKey(body.file_id, languages, body.names),
      },
      { isForced: body.force },
    )
    return answerWork(services, ctx, job, 'transcribe')
  })

  route(router, api.audio.diarize, async ({ body, user, ctx }) => {
    const recording = await requireRecording(services, user.id, body.file_id)
    if (!recording.isStereo) throw notStereo(recording.channels)
    const hasText = body.with_transcription
    const languages = await dialogueLanguages(services.queue, recording, body)
    if (hasText) await requireTranscription(services.connection, spokenLanguages(languages))
    const job = await startWork(
      services,
      {
        ownerId: recording.ownerId,
        recordingId: recording._id,
        params: { kind: 'diarize', hasText, ...languages },
        workKey: diarizationKey(body.file_id, hasText ? languages : null),
      },
      { isForced: body.force },
    )
    return answerWork(services, ctx, job, 'diarize')
  })
}

interface LanguagesAsked {
  language?: TranscriptionLanguageChoice | undefined
  channel_languages?: TranscriptionLanguageChoice[] | undefined
}

function languagesOf({ language = defaultTranscriptionLanguage, channel_languages }: LanguagesAsked): HeardLanguages {
  return { language, channelLanguages: channel_languages ?? null }
}

/** The languages asked for; without a word about them, those of the latest transcription, so that its words are used. */
async function dialogueLanguages(
  queue: Queue,
  { _id, ownerId }: Pick<RecordingDocument, '_id' | 'ownerId'>,
  asked: LanguagesAsked,
): Promise<HeardLanguages> {
  if (asked.language || asked.channel_languages) return languagesOf(asked)
  const heard = latestDone(await listJobsOfRecordings(queue, ownerId, [_id]), 'transcribe')
  const params = heard && JobParams.parse(heard.params)
  if (params?.kind !== 'transcribe') return languagesOf(asked)
  return { language: params.language, channelLanguages: params.channelLanguages }
}

async function requireRecording({ connection }: WorkServices, userId: string, id: string) {
  const recording = await findRecording(connection, toObjectId(userId), toObjectId(id))
  if (!recording) throw new AppError('not_found', 'Recording not found')
  return recording
}

function notStereo(channels: number) {
  const message =
    channels === 1
      ? 'This recording has one channel, so its speakers cannot be told apart yet'
      : 'Both channels of this recording carry the same sound'
  return new AppError('not_stereo', message, { help: 'Record each speaker on a channel of their own, left and right.' })
}
