import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { describe, expect, test, vi } from 'vitest'

import { startCpuClock } from '#testing/cpu-clock.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { decodeAudio } from './decode.ts'
import type { DecodeOptions } from './decode.ts'
import { findFfmpeg } from './ffmpeg.ts'

/** Writes a recording of silence: two hours are 60 KB as FLAC and 230 MB decoded. */
async function writeSilence(seconds: number): Promise<{ source: string; workDir: string }> {
  const folder = await temporaryFolder()
  const source = join(folder, 'silence.flac')
  const { path } = await findFfmpeg()
  const input = ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', String(seconds)]
  await promisify(execFile)(path, ['-nostdin', '-v', 'error', ...input, source])
  const workDir = join(folder, 'work')
  await mkdir(workDir)
  return { source, workDir }
}

/** Writes an ffmpeg that hangs, and returns a function that reads its process id. */
async function writeHangingFfmpeg(): Promise<{
  options: DecodeOptions
  source: string
  readPid: () => Promise<number>
}> {
  const folder = await temporaryFolder()
  const workDir = join(folder, 'work')
  await mkdir(workDir)
  const ffmpegPath = join(folder, 'ffmpeg')
  const pidPath = join(folder, 'pid')
  await writeFile(ffmpegPath, `#!/bin/sh\necho $$ > ${pidPath}.part\nmv ${pidPath}.part ${pidPath}\nexec sleep 600\n`)
  await chmod(ffmpegPath, 0o755)
  const source = join(folder, 'call.wav')
  await writeFile(source, 'content')
  const readPid = () => vi.waitFor(async () => Number(await readFile(pidPath, 'utf8')))
  return { options: { workDir, ffmpegPath }, source, readPid }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('cancelling', () => {
  test('stops a running decoding within 2 s and leaves no file', async () => {
    const { source, workDir } = await writeSilence(3600)
    const cancel = new AbortController()
    let cancelledAt = 0
    const onProgress = () => {
      cancelledAt ||= performance.now()
      cancel.abort()
    }
    await expect(decodeAudio(source, { workDir, signal: cancel.signal, onProgress })).rejects.toMatchObject({
      code: 'job_cancelled',
    })
    expect(cancelledAt).toBeGreaterThan(0)
    expect(performance.now() - cancelledAt).toBeLessThan(2000)
    expect(await readdir(workDir)).toEqual([])
  })

  test('leaves no process running, not even one that hangs', async () => {
    const { options, source, readPid } = await writeHangingFfmpeg()
    const cancel = new AbortController()
    const decoding = decodeAudio(source, { ...options, signal: cancel.signal })
    const pid = await readPid()
    expect(isRunning(pid)).toBe(true)
    cancel.abort()
    await expect(decoding).rejects.toMatchObject({ code: 'job_cancelled' })
    expect(isRunning(pid)).toBe(false)
    expect(await readdir(options.workDir)).toEqual([])
  })

  test('before the start, no process is run', async () => {
    const { options, source } = await writeHangingFfmpeg()
    await expect(decodeAudio(source, { ...options, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'job_cancelled',
    })
    expect(await readdir(options.workDir)).toEqual([])
  })
})

describe('a system error', () => {
  test('an ffmpeg that hangs is killed at the time limit', async () => {
    const { options, source, readPid } = await writeHangingFfmpeg()
    await expect(decodeAudio(source, { ...options, timeoutMs: 1000 })).rejects.toMatchObject({
      code: 'unreadable_audio',
      message: 'Reading the recording took longer than 1 second.',
    })
    expect(isRunning(await readPid())).toBe(false)
    expect(await readdir(options.workDir)).toEqual([])
  })

  test('an ffmpeg that cannot start, writes no WAV stream or dies is reported with its cause', async () => {
    const { options, source } = await writeHangingFfmpeg()
    const missing = decodeAudio(source, { ...options, ffmpegPath: '/nowhere/ffmpeg' })
    await expect(missing).rejects.toMatchObject({
      code: 'unavailable',
      cause: { message: expect.stringMatching(/ended with code 127/) },
    })
    await writeFile(String(options.ffmpegPath), '#!/bin/sh\necho "this is not a WAV stream"\nexec sleep 600\n')
    await expect(decodeAudio(source, options)).rejects.toMatchObject({ code: 'internal' })
    await writeFile(String(options.ffmpegPath), '#!/bin/sh\necho "out of luck" >&2\nkill -SEGV $$\n')
    await expect(decodeAudio(source, options)).rejects.toMatchObject({
      code: 'unreadable_audio',
      cause: { message: expect.stringMatching(/SIGSEGV: out of luck/) },
    })
    await writeFile(String(options.ffmpegPath), '#!/bin/sh\nkill -KILL $$\n')
    await expect(decodeAudio(source, options)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Reading the recording was interrupted. Please try again.',
    })
    expect(await readdir(options.workDir)).toEqual([])
  })

  test('a folder that cannot be written to is an internal error', async () => {
    const { source, workDir } = await writeSilence(1)
    await expect(decodeAudio(source, { workDir: join(workDir, 'missing') })).rejects.toMatchObject({ code: 'internal' })
  })
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Returns the bytes still referenced. The memory that the process holds from the system also depends on the tests that ran before. */
function measureRetained(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('two hours of silence decode quickly in flat memory', async () => {
  const { source, workDir } = await writeSilence(7200)
  const memoryAt: number[] = []
  let nextMs = 600_000
  const onProgress = (decodedMs: number) => {
    if (decodedMs < nextMs) return
    memoryAt.push(measureRetained())
    nextMs += 600_000
  }
  const cpuMs = startCpuClock()
  const decoded = await decodeAudio(source, { workDir, onProgress })
  expect(decoded.durationMs).toBe(7_200_000)
  expect(cpuMs()).toBeLessThan(45_000)
  expect(memoryAt.length).toBe(12)
  // The samples total 230 MB: if they were kept, 115 MB would be held by the second half. Single values include buffers about to be freed.
  expect(Math.min(...memoryAt.slice(6)) - (memoryAt[0] ?? 0)).toBeLessThan(64 * 1024 * 1024)
})
