import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { ClipFormat } from '#contract/clip.ts'
import { clock, toMs } from '#contract/formats/time.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { encodeClip } from '#data/audio-probe/clips.ts'
import type { AppRouter } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import { route } from '#server/http/route.ts'
import { contentDisposition } from './content-disposition.ts'
import type { RecordingAccessGuard } from './recording-access.ts'

/** A clip of this length takes about a minute of processor time. */
const maxSeconds = 1_800
const mimeTypes: Record<ClipFormat, string> = { mp3: 'audio/mpeg', wav: 'audio/wav' }

interface ClipDeps {
  recordingAccess: RecordingAccessGuard
  audioStore: AudioStore
}

/** Mounts GET /api/recordings/{id}/clip. */
export function mountClip(router: AppRouter, { recordingAccess, audioStore }: ClipDeps): void {
  route(router, api.recordings.clip, async ({ params, query, signal, ctx, ...caller }) => {
    const { from, format, channel } = query
    const recording = await recordingAccess.requireVisible(caller, params.id)
    const durationSeconds = recording.durationMs / 1000
    const to = Math.min(query.to ?? durationSeconds, durationSeconds)
    if (from >= to) throw invalidInput(['The range must begin before it ends, and within the recording'])
    if (to - from > maxSeconds) throw invalidInput(['A clip can be at most 30 minutes long'])
    if (channel && !recording.isStereo) throw invalidInput(['This recording has only one channel'])
    const file = { id: recording.id, extension: recording.extension }
    if ((await audioStore.size(file)) === null) throw new AppError('not_found', 'The file of this recording is missing')
    await recordingAccess.requireExportable(caller, params.id, `clip, ${format}`)
    const { path, release } = await audioStore.open(file)
    try {
      const channelCount = recording.isStereo ? 2 : 1
      const part = { fromSeconds: from, seconds: to - from, format, channelCount, channel } as const
      const { sizeBytes, content } = await encodeClip(path, part, signal)
      const times = [from, to].map((seconds) => clock(toMs(seconds)).replaceAll(':', '.')).join('-')
      ctx.status = 200
      ctx.set('Content-Type', mimeTypes[format])
      ctx.set('Content-Disposition', contentDisposition(recording.name, format, times))
      ctx.set('Cache-Control', 'no-store')
      ctx.body = content
      ctx.length = sizeBytes
    } finally {
      await release()
    }
  })
}
