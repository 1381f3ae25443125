import { open, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { AppError } from '#contract/app-error.ts'
import { writing } from './disk.ts'

/**
 * Runs what must not run twice at once for `path`, on this host or another that shares the folder. A lock whose process of this host is
 * gone is taken over.
 *
 * @throws AppError `conflict` where another process holds it
 */
export async function withLock<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const lockPath = `${path}.lock`
  await writing(lockPath, () => take(lockPath))
  try {
    return await work()
  } finally {
    await rm(lockPath, { force: true })
  }
}

async function take(lockPath: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = await open(lockPath, 'wx')
      await file.writeFile(`${hostname()} ${process.pid}`)
      return await file.close()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const [host, pid] = (await readFile(lockPath, 'utf8').catch(() => '')).split(' ')
      if (host !== hostname() || isRunning(Number(pid))) break
      await rm(lockPath, { force: true })
    }
  }
  throw new AppError('conflict', `Another process is bringing this model in already (${lockPath}).`, {
    help: 'Wait until it is done. If nothing runs any more, delete that file.',
  })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
