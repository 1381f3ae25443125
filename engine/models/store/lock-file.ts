import { open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { AppError } from '#contract/app-error.ts'
import { writing } from './disk.ts'

/** A holder shows that it is alive. */
const pulseMs = 30_000
const silentMs = 5 * 60_000

/**
 * Runs what must not run twice at once for `path`, on this host or another that shares the folder. A lock is taken over when its process
 * is gone, or was silent for minutes: that of a container that was replaced has a host nobody knows any more.
 *
 * @throws AppError `conflict` where another process holds it
 */
export async function withLock<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const lockPath = `${path}.lock`
  await writing(lockPath, () => take(lockPath))
  const pulse = setInterval(() => void touch(lockPath), pulseMs).unref()
  try {
    return await work()
  } finally {
    clearInterval(pulse)
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
      if (!(await isAbandoned(lockPath))) break
      await rm(lockPath, { force: true })
    }
  }
  throw new AppError('conflict', `Another process is bringing this model in already (${lockPath}).`, {
    help: 'Wait until it is done. If nothing runs any more, delete that file.',
  })
}

async function isAbandoned(lockPath: string): Promise<boolean> {
  const [host, pid] = (await readFile(lockPath, 'utf8').catch(() => '')).split(' ')
  if (host === hostname() && !isRunning(Number(pid))) return true
  const info = await stat(lockPath).catch(() => undefined)
  return info !== undefined && Date.now() - info.mtimeMs > silentMs
}

async function touch(lockPath: string): Promise<void> {
  const now = new Date()
  await utimes(lockPath, now, now).catch(() => undefined)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // That of another user is running too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
