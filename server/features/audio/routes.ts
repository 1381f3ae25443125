import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import type { RecordingDocument } from '#data/recordings/recording-model.ts'
import type { AppContext, AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import { toObjectId } from '../jobs/long-work.ts'
import type { WorkServices } from '../work/services.ts'
import { mediaTypes } from './file-kind.ts'
import { parseRange } from './range.ts'
import { uploadRecording } from './upload-recording.ts'

const seconds = (ms: number) => ms / 1000

interface AudioGuards {
  /** Reads the token that `<audio>` sends instead of a header. */
  readAudioCookie: (ctx: AppContext) => string | undefined
  /** Throws `rate_limited` when the user has uploaded too many files within the hour. */
  countUpload: (userId: string) => Promise<void>
}

/** POST /api/upload and GET /api/audio/{id}. */
export function mountAudio(
  router: AppRouter,
  services: WorkServices,
  { readAudioCookie, countUpload }: AudioGuards,
): void {
  route(router, api.audio.upload, async ({ user, session, ctx }) => {
    await countUpload(user.id)
    const recording = await uploadRecording(services, ctx, { userId: user.id, sessionId: session.id })
    return {
      file_id: recording._id.toHexString(),
      name: recording.name,
      size: recording.sizeBytes,
      duration: seconds(recording.durationMs),
      is_stereo: recording.isStereo,
      channels: recording.channels,
      peaks: recording.peaks,
    }
  })

  route(
    router,
    api.audio.play,
    async ({ params, user, ctx }) => {
      const recording = await findRecording(services.connection, toObjectId(user.id), toObjectId(params.id))
      if (!recording) throw new AppError('not_found', 'Recording not found')
      await play(services, ctx, recording)
    },
    { readAudioCookie },
  )
}

async function play({ audioStore }: WorkServices, ctx: AppContext, recording: RecordingDocument) {
  const file = { id: recording._id.toHexString(), extension: recording.extension }
  const size = await audioStore.size(file)
  if (size === null) throw new AppError('not_found', 'The file of this recording is missing')
  const etag = `"${recording.sha256.slice(0, 32)}"`
  ctx.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': 'inline',
    ETag: etag,
  })
  ctx.type = mediaTypes[recording.extension as keyof typeof mediaTypes] // stored by an upload that required one of these
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  // A range of a file that has changed since is answered whole (RFC 9110, section 13.1.5).
  const isSame = ['', etag].includes(ctx.get('If-Range'))
  const range = isSame && ctx.method === 'GET' ? parseRange(ctx.get('Range'), size) : null
  if (range === 'unsatisfiable') return refuseRange(ctx, size)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) {
    ctx.status = 206
    ctx.set('Content-Range', `bytes ${start}-${end}/${size}`)
  }
  ctx.body = audioStore.read(file, { start, end })
  ctx.length = end - start + 1
}

/** 416 has no body of ours: players read only the header. */
function refuseRange(ctx: AppContext, size: number) {
  ctx.status = 416
  ctx.set('Content-Range', `bytes */${size}`)
  ctx.remove('Content-Type')
  ctx.body = ''
}
