import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { AudioProbe } from '#data/audio-probe/audio-probe.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createKeyedMutex } from '#data/keyed-mutex.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { findWaveform, storeWaveform, type Waveform } from '#data/recordings/waveforms.ts'
import type { AppRouter } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import { route } from '#server/http/route.ts'
import { downsampleWaveform } from './downsample-waveform.ts'
import { isKnownToCaller } from './known-to-caller.ts'
import type { RecordingAccessGuard } from './recording-access.ts'

export interface PeaksDeps {
  connection: DatabaseConnection
  recordingAccess: RecordingAccessGuard
  audioStore: AudioStore
  probe: AudioProbe
}

/** Part of the ETag: must change whenever the meaning of the bytes changes. */
const heightsVersion = 1

/** Mounts GET /api/recordings/{id}/peaks. */
export function mountPeaks(router: AppRouter, deps: PeaksDeps): void {
  const measureWaveform = createWaveformMeasurer(deps)

  route(router, api.recordings.peaks, async ({ params, query, takeTurn, ctx, ...caller }) => {
    const recording = await deps.recordingAccess.requireReadable(caller, params.id)
    const durationSeconds = recording.durationMs / 1000
    const { from, bins } = query
    const to = Math.min(query.to ?? durationSeconds, durationSeconds)
    if (from >= to) throw invalidInput(['The range must begin before it ends, and within the recording'])
    const shown = { from, to, bins }
    if (isKnownToCaller(ctx, recording, heightsVersion)) return { ...shown, channels: [] }
    const stored = await takeTurn(async () => {
      const waveform = await findWaveform(deps.connection, recording.ownerId, recording.id)
      return waveform && downsampleWaveform(waveform, { from, to }, bins)
    })
    // Measuring has its own queue of turns, and may have to wait there.
    const heights = stored ?? downsampleWaveform(await measureWaveform(recording), { from, to }, bins)
    return { ...shown, channels: heights.map((channel) => Buffer.from(channel).toString('base64')) }
  })
}

/** Returns a function that measures a recording from an older version, once for all who request it meanwhile. */
function createWaveformMeasurer({ connection, audioStore, probe }: PeaksDeps) {
  const takeTurn = createKeyedMutex()

  async function measure({ id, ownerId, extension }: RecordingRecord): Promise<Waveform> {
    const file = { id, extension }
    if ((await audioStore.size(file)) === null) throw new AppError('not_found', 'The file of this recording is missing')
    const { path, release } = await audioStore.open(file)
    try {
      return (await probe.measure(path, { ownerId })).waveform
    } finally {
      await release()
    }
  }

  return async (recording: RecordingRecord): Promise<Waveform> => {
    const { id, ownerId } = recording
    return takeTurn(id, async () => {
      const storedMeanwhile = await findWaveform(connection, ownerId, id)
      if (storedMeanwhile) return storedMeanwhile
      const waveform = await measure(recording)
      await storeWaveform(connection, ownerId, id, waveform)
      return waveform
    })
  }
}
