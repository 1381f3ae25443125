import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
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
    const channelLanguages = body.channel_languages ?? null
    await requireTranscription(services.connection, channelLanguages ?? [body.language])
    const job = await startWork(
      services,
      {
        ownerId: recording.ownerId,
        recordingId: recording._id,
        params: { kind: 'transcribe', language: body.language, channelLanguages },
        workKey: `transcribe:${body.file_id}:${(channelLanguages ?? [body.language]).join('+')}`,
      },
      { isForced: body.force },
    )
    return answerWork(services, ctx, job, 'transcribe')
  })

  route(router, api.audio.diarize, async ({ body, user, ctx }) => {
    const recording = await requireRecording(services, user.id, body.file_id)
    if (!recording.isStereo) throw notStereo(recording.channels)
    if (body.with_transcription) await requireTranscription(services.connection, [body.language])
    const job = await startWork(
      services,
      {
        ownerId: recording.ownerId,
        recordingId: recording._id,
        params: { kind: 'diarize', hasText: body.with_transcription, language: body.language },
        workKey: `diarize:${body.file_id}:${body.with_transcription ? body.language : 'without-text'}`,
      },
      { isForced: body.force },
    )
    return answerWork(services, ctx, job, 'diarize')
  })
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
