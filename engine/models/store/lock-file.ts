import { randomUUID } from 'node:crypto'
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { AppError } from '#contract/app-error.ts'
import { withDiskErrors } from '../disk.ts'

const heartbeatMs = 30_000
const heartbeatTimeoutMs = 5 * 60_000

/**
 * Runs `work` while holding the lock of `path`, which also covers other hosts that share the folder. A lock is taken over if its process
 * has exited or has sent no heartbeat for minutes: the lock of a replaced container names a host that no longer exists.
 *
 * `subject` names the locked thing in messages. @throws AppError `conflict` if another process holds the lock
 */
export async function withLock<Value>(
  path: string,
  work: () => Promise<Value>,
  { subject = 'this model' }: { subject?: string } = {},
): Promise<Value> {
  const lockPath = `${path}.lock`
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`
  await withDiskErrors(lockPath, () => acquire(lockPath, owner, subject))
  const heartbeat = setInterval(() => void sendHeartbeat(lockPath), heartbeatMs).unref()
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    if ((await readOwner(lockPath)) === owner) await rm(lockPath, { force: true })
  }
}

async function acquire(lockPath: string, owner: string, subject: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (await tryCreate(lockPath, owner)) return
    if ((await isAbandoned(lockPath)) && (await takeOver(lockPath, owner))) return
  }
  throw new AppError('conflict', `Another process is already working on ${subject} (${lockPath}).`, {
    help: 'Wait until it is done. If no process is running, delete that file.',
  })
}

/**
 * Creates a file that must not exist yet; returns false if it exists. It appears together with its content: a process killed between the
 * two would leave a lock that no one holds, and others would wait until its heartbeat is missed.
 */
async function tryCreate(path: string, owner: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}.lock`
  try {
    await writeFile(draft, owner, { flag: 'wx' })
    await link(draft, path)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'EEXIST') return false
    if (withoutLinks.has(code)) return await tryCreateInPlace(path, owner)
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Error codes of file systems without hard links. */
const withoutLinks = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

async function tryCreateInPlace(path: string, owner: string): Promise<boolean> {
  try {
    await writeFile(path, owner, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Replaces an abandoned lock. A second lock file lets only one process at a time do so, and the lock is checked again while holding it:
 * otherwise a late process would delete the lock of the one that has just taken over.
 */
async function takeOver(lockPath: string, owner: string): Promise<boolean> {
  const guardPath = `${lockPath}.takeover`
  if (!(await tryCreate(guardPath, owner))) {
    // Its process was killed at exactly this point: the next attempt succeeds.
    if (await isAbandoned(guardPath)) await rm(guardPath, { force: true })
    return false
  }
  try {
    if (!(await isAbandoned(lockPath))) return false
    await rm(lockPath, { force: true })
    return await tryCreate(lockPath, owner)
  } finally {
    await rm(guardPath, { force: true })
  }
}

async function isAbandoned(lockPath: string): Promise<boolean> {
  const [host, pid] = (await readOwner(lockPath)).split(' ')
  if (host === hostname() && !isRunning(Number(pid))) return true
  const info = await stat(lockPath).catch(() => undefined)
  return info !== undefined && Date.now() - info.mtimeMs > heartbeatTimeoutMs
}

function readOwner(lockPath: string): Promise<string> {
  return readFile(lockPath, 'utf8').catch(() => '')
}

async function sendHeartbeat(lockPath: string): Promise<void> {
  const now = new Date()
  await utimes(lockPath, now, now).catch(() => undefined)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process belongs to another user, but it is running.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
