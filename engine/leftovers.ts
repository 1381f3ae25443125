import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Types } from 'mongoose'
import type { Queue } from '#data/jobs/queue.ts'

/** What is no folder of an attempt is old after this. */
const leftoverMs = 3600 * 1000

/** Where an attempt keeps its files while it runs: its name tells whether anybody still works in it. */
export function attemptFolder(tempDir: string, job: { _id: Types.ObjectId; leaseId: Types.ObjectId }): string {
  return join(tempDir, `job-${job._id.toHexString()}-${job.leaseId.toHexString()}`)
}

/**
 * Deletes what attempts that were killed left in the temporary folder: decoded recordings of gigabytes. Call it when the leases of
 * dead engines are void; a folder whose lease is held belongs to an engine at work, also on another host.
 */
export async function removeLeftovers(queue: Queue, tempDir: string): Promise<void> {
  await mkdir(tempDir, { recursive: true, mode: 0o700 })
  for (const name of await readdir(tempDir)) {
    const path = join(tempDir, name)
    if (await isLeftover(queue, name, path)) await rm(path, { recursive: true, force: true })
  }
}

async function isLeftover(queue: Queue, name: string, path: string): Promise<boolean> {
  const [, jobId, leaseId] = /^job-([0-9a-f]{24})-([0-9a-f]{24})$/.exec(name) ?? []
  if (jobId && leaseId) return (await queue.jobs.exists({ _id: toId(jobId), leaseId: toId(leaseId) })) === null
  const info = await stat(path).catch(() => undefined)
  return info !== undefined && Date.now() - info.mtimeMs > leftoverMs
}

function toId(text: string): Types.ObjectId {
  return Types.ObjectId.createFromHexString(text)
}
