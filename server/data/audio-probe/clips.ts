import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { ClipEncoding } from '#contract/clip.ts'
import { parseProgramOutput, runProgram } from './run-program.ts'

/** Strict, so that a reported error is not mistaken for success. */
const Written = z.strictObject({})

/** Enough for half an hour of stereo, and for formats without seeking, which are decoded from the beginning. */
const cpuSeconds = 90
const timeoutMs = 120_000

/**
 * Encodes a part of a recording and returns its bytes; the caller reads or destroys the stream. Throws `unreadable_audio`, `unavailable`,
 * `disk_full`, or the signal's reason.
 */
export async function encodeClip(
  path: string,
  { fromSeconds, seconds, format, channelCount, channel }: ClipEncoding,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; content: Readable }> {
  const file = await openUnnamedFile()
  try {
    const args = [
      path,
      String(fromSeconds),
      String(seconds),
      format,
      String(channelCount),
      ...(channel ? [channel] : []),
    ]
    const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const ended = await runProgram('clip-main.ts', { args, cpuSeconds, stop, outputFd: file.fd })
    signal.throwIfAborted()
    parseProgramOutput(Written, ended, interruptedError)
    const { size } = await file.stat()
    return { sizeBytes: size, content: file.createReadStream({ start: 0 }) }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Opens a file that disappears with its descriptor, so that a crash leaves no sound in the temporary folder. */
async function openUnnamedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `awaz-clip-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

function interruptedError(cause: Error): AppError {
  return new AppError('unavailable', 'Cutting the clip was interrupted. Please try again.', { cause })
}
