import { readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { withLock } from './lock-file.ts'

/** Above the largest process id that Linux assigns. */
const deadPid = 2 ** 22 + 1

async function abandonedLock(): Promise<string> {
  const path = join(await temporaryFolder(), 'model.bin')
  await writeFile(`${path}.lock`, `${hostname()} ${deadPid}`)
  return path
}

test.each(Array.from({ length: 10 }, (_, round) => round))(
  'one of many concurrent attempts takes over an abandoned lock (%i turns apart)',
  async (turnsApart) => {
    const path = await abandonedLock()
    const finished = Promise.withResolvers<void>()
    const count = 20
    let running = 0
    const refusals: unknown[] = []
    const settle = () => {
      if (running + refusals.length === count) finished.resolve()
    }
    const attempts = Array.from({ length: count }, async (_, index) => {
      for (let turn = 0; turn < index * turnsApart; turn++) await setImmediate()
      try {
        await withLock(path, () => {
          running += 1
          settle()
          return finished.promise
        })
      } catch (error) {
        refusals.push(error)
        settle()
      }
    })
    await Promise.all(attempts)
    expect(running).toBe(1)
    expect(refusals).toEqual(Array(count - 1).fill(expect.objectContaining({ code: 'conflict' })))
  },
)

test('a lock is released after the work, also where it fails', async () => {
  const path = await abandonedLock()
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(path, () => Promise.resolve('done'))).toBe('done')
  await expect(readFile(`${path}.lock`)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a holder without a heartbeat for minutes loses its lock, and does not release that of its successor', async () => {
  const path = await abandonedLock()
  const finished = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const silent = withLock(path, () => {
    started.resolve()
    return finished.promise
  })
  await started.promise
  const longAgo = new Date(Date.now() - 10 * 60_000)
  await utimes(`${path}.lock`, longAgo, longAgo)
  await withLock(path, async () => {
    finished.resolve()
    await silent
    await expect(withLock(path, () => Promise.resolve())).rejects.toMatchObject({ code: 'conflict' })
  })
})
