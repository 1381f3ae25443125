import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'

/** One channel of a recording on disk: interleaved signed 16-bit little-endian samples at 16 kHz. */
export interface ChannelSource {
  pcmPath: string
  channelCount: number
  channel: number
}

/** Calls `handle` with the samples of each span in order, -1 to 1, as far as the file has them. */
export async function readSpans(
  { pcmPath, channelCount, channel }: ChannelSource,
  spans: readonly SpeechSpan[],
  handle: (samples: Float32Array, span: SpeechSpan) => void,
): Promise<void> {
  const file = await open(pcmPath)
  try {
    for (const span of spans) {
      const first = Math.floor((span.startMs * sampleRate) / 1000)
      const count = Math.max(0, Math.floor((span.endMs * sampleRate) / 1000) - first)
      const blocks = await readBlocks(file, first * channelCount, count * channelCount)
      const samples = new Float32Array(Math.floor(blocks.length / channelCount))
      for (let at = 0; at < samples.length; at += 1) samples[at] = (blocks[at * channelCount + channel] ?? 0) / 32_768
      handle(samples, span)
    }
  } finally {
    await file.close()
  }
}

async function readBlocks(file: FileHandle, first: number, count: number): Promise<Int16Array> {
  const samples = new Int16Array(count)
  const bytes = new Uint8Array(samples.buffer)
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, first * 2 + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return samples.subarray(0, Math.floor(filled / 2))
}
