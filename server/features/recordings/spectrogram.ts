import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { computeSpectrogram, spectrogramRows } from '#data/audio-probe/spectrograms.ts'
import type { AppRouter } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import { route } from '#server/http/route.ts'
import { isKnownToCaller } from './known-to-caller.ts'
import type { RecordingAccessGuard } from './recording-access.ts'

/** Decoding more takes longer than anyone would wait for a picture. */
const maxSeconds = 300
/** Part of the ETag: must change whenever the meaning of the bytes changes. */
const levelsVersion = 1

interface SpectrogramDeps {
  recordingAccess: RecordingAccessGuard
  audioStore: AudioStore
}

/** Mounts GET /api/recordings/{id}/spectrogram. */
export function mountSpectrogram(router: AppRouter, { recordingAccess, audioStore }: SpectrogramDeps): void {
  route(router, api.recordings.spectrogram, async ({ params, query, signal, ctx, ...caller }) => {
    const recording = await recordingAccess.requireReadable(caller, params.id)
    const durationSeconds = recording.durationMs / 1000
    const { from, columns } = query
    const to = Math.min(query.to ?? durationSeconds, durationSeconds)
    if (from >= to) throw invalidInput(['The range must begin before it ends, and within the recording'])
    if (to - from > maxSeconds) throw invalidInput([`The range must be at most ${maxSeconds} seconds long`])
    const shown = { from, to, columns, rows: spectrogramRows }
    if (isKnownToCaller(ctx, recording, levelsVersion)) return { ...shown, max_hz: 1, channels: [] }
    const file = { id: recording.id, extension: recording.extension }
    if ((await audioStore.size(file)) === null) throw new AppError('not_found', 'The file of this recording is missing')
    const { path, release } = await audioStore.open(file)
    try {
      const part = { fromSeconds: from, seconds: to - from, channelCount: recording.isStereo ? 2 : 1, columns } as const
      const { maxHz, channels } = await computeSpectrogram(path, part, signal)
      return { ...shown, max_hz: maxHz, channels }
    } finally {
      await release()
    }
  })
}
