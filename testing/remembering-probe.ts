import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { openAudioProbe, probeLimits, type AudioProbe, type MeasuredAudio } from '#data/audio-probe/audio-probe.ts'
import { createUserTurns } from '#server/security/user-turns.ts'

/** Larger files are measured each time, for the tests of hostile and of large files. */
const maxBytes = 1_000_000
const measurements = new Map<string, MeasuredAudio>()

/**
 * Opens a probe that measures each small file only once per process: hundreds of tests upload the same dialogue to have a recording, and
 * each measurement starts two processes. Refusals are never remembered.
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
