import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { openAudioProbe, probeLimits, type AudioProbe, type MeasuredAudio } from '#data/audio-probe/audio-probe.ts'
import { createUserTurns } from '#server/security/user-turns.ts'

/** Tests of hostile and of large files measure each one. */
const maxBytes = 1_000_000
const measurements = new Map<string, MeasuredAudio>()

/**
 * Opens a probe that measures a small file once in this process: hundreds of tests upload the same dialogue to have a recording, and
 * measuring takes two processes each time. What is refused is never remembered.
 */
export function openRememberingProbe(options: { maxDurationMs: number }): AudioProbe {
  const probe = openAudioProbe({ ...options, takeTurn: createUserTurns(probeLimits) })
  return {
    async measure(path, caller) {
      if ((await stat(path)).size > maxBytes) return probe.measure(path, caller)
      const hash = createHash('sha256').update(await readFile(path))
      const key = `${options.maxDurationMs} ${hash.digest('hex')}`
      const measured = measurements.get(key) ?? (await probe.measure(path, caller))
      measurements.set(key, measured)
      return measured
    },
  }
}
