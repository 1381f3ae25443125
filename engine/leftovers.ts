import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '#data/if-exists.ts'
import { isAttemptActive } from '#data/jobs/queue-status.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** Age at which anything else in the temporary folder is deleted. */
const maxAgeMs = 3600 * 1000

/** Returns the folder of an attempt's files. Its name identifies the lease, which shows whether the attempt is still running. */
export function attemptFolder(tempDir: string, job: { id: string; leaseId: string }): string {
  return join(tempDir, `job-${job.id}-${job.leaseId}`)
}

/**
 * Deletes what killed attempts left in the temporary folder, such as gigabytes of decoded recordings. Call it once the leases of dead
 * engines have been revoked; a folder whose lease is held belongs to a running engine, possibly on another host.
 */
export async function removeLeftovers(queue: Queue, tempDir: string): Promise<void> {
  await mkdir(tempDir, { recursive: true, mode: 0o700 })
  for (const path of await findLeftovers(queue, tempDir)) await rm(path, { recursive: true, force: true })
}

/** Returns the paths of what killed attempts left in the temporary folder; empty if there is no folder. */
export async function findLeftovers(queue: Queue, tempDir: string): Promise<string[]> {
  const found: string[] = []
  for (const name of (await ifExists(() => readdir(tempDir))) ?? []) {
    const path = join(tempDir, name)
    if (await isLeftover(queue, name, path)) found.push(path)
  }
  return found
}

async function isLeftover(queue: Queue, name: string, path: string): Promise<boolean> {
  const [, id, leaseId] = /^job-([0-9a-f]{24})-([0-9a-f]{24})$/.exec(name) ?? []
  if (id && leaseId) return !(await isAttemptActive(queue, { id, leaseId }))
  const info = await stat(path).catch(() => undefined)
  return info !== undefined && Date.now() - info.mtimeMs > maxAgeMs
}
