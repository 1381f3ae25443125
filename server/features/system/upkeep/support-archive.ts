import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { SupportArchive } from '#contract/entities/upkeep.ts'
import type { Clock } from '#data/clock.ts'
import type { RunCommand } from './command.ts'
import type { Runs } from './runs.ts'

interface SupportDeps {
  runs: Pick<Runs, 'duringTurn'>
  runCommand: RunCommand
  clock: Clock
}

const Printed = z.object({
  sha256: z.string(),
  files: z.array(z.object({ name: z.string(), sizeBytes: z.int() })),
})
const timeoutMs = 30 * 60_000

/**
 * Returns a function that makes a support archive by `awaz support`. It comes whole with the response, so that nothing of it stays on a server. Throws
 * `conflict` where something is under way.
 */
export function createSupportArchives({ runs, runCommand, clock }: SupportDeps) {
  return (signal: AbortSignal): Promise<SupportArchive> =>
    runs.duringTurn(signal, async (ending) => {
      const folder = await mkdtemp(join(tmpdir(), 'awaz-support-'))
      try {
        const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
        const fileName = `awaz-support-${stamp}.zip`
        const path = join(folder, fileName)
        const command = ['support', '--out', path, '--json']
        const { status, stdout, messages } = await runCommand(command, { signal: ending, timeoutMs })
        if (status !== 0) throw new AppError('unavailable', messages || `The command ended with ${status}.`)
        const { sha256, files } = Printed.parse(JSON.parse(stdout))
        const content = await readFile(path)
        return {
          file_name: fileName,
          files: files.map(({ name, sizeBytes }) => ({ name, size_bytes: sizeBytes })),
          size_bytes: content.length,
          sha256,
          base64: content.toString('base64'),
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
}
