import { sampleRate } from './decoded-audio.ts'
import { createFrameStatistics } from './frame-statistics.ts'
import type { FrameStatistics } from './frame-statistics.ts'
import { parseWavHeader } from './wav-header.ts'

export interface PcmReader {
  /** Pipeline stage that takes a WAV stream and yields its bare samples. */
  transform(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  /** Returns undefined where the stream ended before its header did. */
  finish(): (FrameStatistics & { channelCount: 1 | 2 }) | undefined
}

/** Strips the header from a WAV stream and collects the statistics of the samples that pass through. */
export function createPcmReader(onProgress?: (decodedMs: number) => void): PcmReader {
  let statistics: ReturnType<typeof createFrameStatistics> | undefined
  let channelCount: 1 | 2 = 1
  let rest: Buffer = Buffer.alloc(0)
  let sampleCount = 0

  /** Returns the bytes behind the header, or all of them while the header is incomplete. */
  function readHeader(bytes: Buffer): Buffer {
    const header = parseWavHeader(bytes)
    if (!header) return bytes
    channelCount = header.channelCount === 1 ? 1 : 2
    statistics = createFrameStatistics(channelCount)
    return bytes.subarray(header.dataOffset)
  }

  return {
    async *transform(source) {
      for await (const chunk of source) {
        rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
        if (!statistics) rest = readHeader(rest)
        if (!statistics) continue
        const blockBytes = channelCount * 2
        const whole = rest.subarray(0, rest.length - (rest.length % blockBytes))
        rest = rest.subarray(whole.length)
        if (whole.length === 0) continue
        statistics.add(toSamples(whole))
        sampleCount += whole.length / blockBytes
        onProgress?.(Math.round((sampleCount * 1000) / sampleRate))
        yield whole
      }
    },
    finish: () => statistics && { ...statistics.finish(), channelCount },
  }
}

function toSamples(bytes: Buffer): Int16Array {
  // An Int16Array must start at an even offset; a chunk split inside the header may not.
  const even = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes)
  return new Int16Array(even.buffer, even.byteOffset, even.length / 2)
}
