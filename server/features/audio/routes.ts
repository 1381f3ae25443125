import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { AppContext, AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { RecordingAccessGuard } from '../recordings/recording-access.ts'
import type { RecordingTrail } from '../recordings/recording-trail.ts'
import { mediaTypes } from './file-kind.ts'
import { presentUploadResult } from './present-upload.ts'
import { parseRange } from './range.ts'
import { describeUpload } from './store-upload.ts'
import { uploadRecording, type UploadDeps } from './upload-recording.ts'

export interface AudioDeps extends UploadDeps {
  recordingAccess: RecordingAccessGuard
  trail: Pick<RecordingTrail, 'record'>
  /** Reads the token that `<audio>` sends in a cookie instead of a header. */
  readAudioCookie: (ctx: AppContext) => string | undefined
  /** Counts an upload. Throws `rate_limited` when the user has uploaded too many files within the hour. */
  countUpload: (userId: string) => Promise<void>
}

/** Mounts POST /api/upload and GET /api/audio/{id}. */
export function mountAudio(router: AppRouter, deps: AudioDeps): void {
  const { audioStore, recordingAccess, trail, readAudioCookie, countUpload } = deps
  route(router, api.audio.upload, async ({ user, session, origin, ctx }) => {
    await countUpload(user.id)
    const recording = await uploadRecording(deps, ctx, {
      ownerId: user.id,
      sessionId: session.id,
      recordUpload: (stored) => trail.record({ user, origin }, 'upload', [stored], describeUpload(stored)),
    })
    return presentUploadResult(deps.connection, recording)
  })

  route(
    router,
    api.audio.play,
    async ({ params, ctx, ...caller }) => {
      await play(audioStore, ctx, await recordingAccess.requireReadable(caller, params.id))
    },
    { readAudioCookie },
  )
}

async function play(audioStore: AudioStore, ctx: AppContext, recording: RecordingRecord) {
  const file = { id: recording.id, extension: recording.extension }
  const size = await audioStore.size(file)
  if (size === null) throw new AppError('not_found', 'The file of this recording is missing')
  const etag = `"${recording.sha256.slice(0, 32)}"`
  ctx.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': 'inline',
    ETag: etag,
  })
  ctx.type = mediaTypes[recording.extension as keyof typeof mediaTypes] // uploads accept only these extensions
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  // If the file has changed in the meantime, a range request gets the whole file (RFC 9110, section 13.1.5).
  const isSame = ['', etag].includes(ctx.get('If-Range'))
  const range = isSame && ctx.method === 'GET' ? parseRange(ctx.get('Range'), size) : null
  if (range === 'unsatisfiable') return rejectRange(ctx, size)
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) {
    ctx.status = 206
    ctx.set('Content-Range', `bytes ${start}-${end}/${size}`)
  }
  ctx.body = await audioStore.read(file, { start, end })
  ctx.length = end - start + 1
}

/** Responds with 416 and no body: players read only the header. */
function rejectRange(ctx: AppContext, size: number) {
  ctx.status = 416
  ctx.set('Content-Range', `bytes */${size}`)
  ctx.remove('Content-Type')
  ctx.body = ''
}
