import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { claimDiskSpace, decodedBytes, watchDiskSpace } from './decode-disk-space.ts'

const mib = 1024 * 1024
const signal = new AbortController().signal

async function makeAttempt(tempDir: string, name: string): Promise<string> {
  const workDir = join(tempDir, name)
  await mkdir(workDir)
  return workDir
}

function claim(workDir: string, needMib: number, freeMib: number, stop = signal) {
  const freeBytes = async () => freeMib * mib
  return claimDiskSpace({ workDir, needBytes: needMib * mib, freeBytes, signal: stop, pollMs: 20 })
}

test('eight hours of one channel take 922 MB', () => {
  expect(decodedBytes({ durationMs: 8 * 3_600_000, channels: 1 })).toBe(921_600_000)
  expect(decodedBytes({ durationMs: 1_000, channels: 6 })).toBe(32_000)
})

test('rejects samples that leave too little space for uploads at once, with the reason', async () => {
  const workDir = await makeAttempt(await temporaryFolder(), 'job-a')
  await claim(workDir, 700, 956)
  await expect(claim(workDir, 701, 956)).rejects.toMatchObject({
    code: 'disk_full',
    message: 'The disk has too little room to read this recording: it takes 701 MB',
  })
})

test('adds up simultaneous attempts: the later one waits for the space that the earlier one has yet to use', async () => {
  const tempDir = await temporaryFolder()
  const [first, second] = [await makeAttempt(tempDir, 'job-a'), await makeAttempt(tempDir, 'job-b')]
  await claim(first, 600, 1_000)
  let isClaimed = false
  const waiting = claim(second, 600, 1_000).then(() => (isClaimed = true))
  await claim(first, 600, 1_000) // the earlier does not wait for the later
  expect(isClaimed).toBe(false)
  await rm(first, { recursive: true })
  await waiting
})

test('does not count twice what an attempt has already written', async () => {
  const tempDir = await temporaryFolder()
  const [first, second] = [await makeAttempt(tempDir, 'job-a'), await makeAttempt(tempDir, 'job-b')]
  await claim(first, 1, 1_000)
  await writeFile(join(first, 'pcm.s16le.part'), Buffer.alloc(mib))
  await expect(claim(second, 744, 1_000)).resolves.toBeUndefined()
})

test('stops waiting when the job is cancelled', async () => {
  const tempDir = await temporaryFolder()
  const [first, second] = [await makeAttempt(tempDir, 'job-a'), await makeAttempt(tempDir, 'job-b')]
  await claim(first, 600, 1_000)
  const cancel = new AbortController()
  const waiting = claim(second, 600, 1_000, cancel.signal)
  cancel.abort()
  await expect(waiting).rejects.toThrow('aborted')
})

test('aborts decoding with the reason when the space runs out', async () => {
  let freeMib = 500
  const watch = watchDiskSpace({ freeBytes: async () => freeMib * mib, needBytes: 800 * mib, pollMs: 10 })
  freeMib = 63
  await vi.waitFor(() => expect(watch.signal.reason).toMatchObject({ code: 'disk_full' }))
  watch.stop()
})
