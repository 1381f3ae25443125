import { open, type FileHandle } from 'node:fs/promises'
import { isWav, parseWavHeader } from './wav-header.ts'

/** Programs that write to a pipe declare a size between this and 0xffffffff when they do not know the size yet. */
const unknownFromBytes = 0x7fff_0000
/** Encoders count headers and padding differently. */
const toleranceBytes = 4096
/** The chunks before the samples of a WAV file, and the first frame of an MP3 file, are far shorter. */
const headerBytes = 64 * 1024

/**
 * Whether part of a WAV or MP3 file is missing, judged by the size that its header declares. ffmpeg silently reads what is there. Returns
 * false for other formats, and if the header declares no size.
 */
export async function isTruncated(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const start = await readAt(file, 0)
    const declared = isWav(start) ? declaredWavBytes(start) : await declaredMp3Bytes(file, start)
    return declared !== undefined && declared - size > toleranceBytes
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, position)
  return buffer.subarray(0, bytesRead)
}

/** Also returns undefined if the size is 0, which a recorder leaves behind when it is switched off. */
function declaredWavBytes(start: Buffer): number | undefined {
  const header = parseWavHeader(start)
  if (!header || header.dataBytes === 0 || header.dataBytes >= unknownFromBytes) return undefined
  return header.dataOffset + header.dataBytes
}

/** Reads the size from the Xing header: a first frame, written by most encoders, with the number of frames and bytes. */
async function declaredMp3Bytes(file: FileHandle, start: Buffer): Promise<number | undefined> {
  const frameOffset = start.toString('latin1', 0, 3) === 'ID3' && start.length >= 10 ? 10 + readTagBytes(start) : 0
  const frame = (frameOffset === 0 ? start : await readAt(file, frameOffset)).subarray(0, 64)
  const isFrame = frame.length > 4 && frame[0] === 0xff && ((frame[1] ?? 0) & 0xe0) === 0xe0
  if (!isFrame) return undefined
  const at = Math.max(frame.indexOf('Xing'), frame.indexOf('Info'))
  if (at < 0 || at + 8 > frame.length) return undefined
  const flags = frame.readUInt32BE(at + 4)
  const hasBytes = (flags & 2) !== 0
  const bytesAt = at + 8 + ((flags & 1) !== 0 ? 4 : 0)
  if (!hasBytes || bytesAt + 4 > frame.length) return undefined
  return frameOffset + frame.readUInt32BE(bytesAt)
}

/** Returns the size of an ID3v2 tag: four bytes of seven bits. */
function readTagBytes(start: Buffer): number {
  return start.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0)
}
