import { pino } from 'pino'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { RunnerContext } from '../job-runner.ts'

type Given = Pick<RunnerContext, 'queue' | 'loaded' | 'modelsDir' | 'refreshModels'>

/** Returns the context for running jobs on the recordings in `audioDir`. */
export async function makeRunnerContext({ audioDir, ...given }: Given & { audioDir: string }): Promise<RunnerContext> {
  return {
    ...given,
    audioStore: await openDiskStore(audioDir),
    tempDir: await temporaryFolder(),
    maxAudioMs: 3_600_000,
    log: pino({ level: 'silent' }),
  }
}
