import { sampleRate } from './decoded-audio.ts'
import { createFrameStatistics } from './frame-statistics.ts'
import type { FrameStatistics } from './frame-statistics.ts'
import { parseWavHeader } from './wav-header.ts'

export interface PcmReader {
  /** For a pipeline: takes a WAV stream, passes its bare samples on. */
  transform(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  /** undefined where the stream ended before its header did. */
  finish(): (FrameStatistics & { channelCount: 1 | 2 }) | undefined
}

/** Strips the header from a WAV stream and gathers the statistics of the samples that pass through. */
export function createPcmReader(onProgress?: (decodedMs: number) => void): PcmReader {
  let statistics: ReturnType<typeof createFrameStatistics> | undefined
  let channelCount: 1 | 2 = 1
  let rest: Buffer = Buffer.alloc(0)
  let sampleCount = 0

  function begin(bytes: Buffer): Buffer {
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
        if (!statistics) rest = begin(rest)
        if (!statistics) continue
        const blockBytes = channelCount * 2
        const whole = rest.subarray(0, rest.length - (rest.length % blockBytes))
        rest = rest.subarray(whole.length)
        if (whole.length === 0) continue
        statistics.add(asSamples(whole))
        sampleCount += whole.length / blockBytes
        onProgress?.(Math.round((sampleCount * 1000) / sampleRate))
        yield whole
      }
    },
    finish: () => statistics && { ...statistics.finish(), channelCount },
  }
}

function asSamples(bytes: Buffer): Int16Array {
  // A typed array must begin at an even address; a chunk cut inside the header may not.
  const even = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes)
  return new Int16Array(even.buffer, even.byteOffset, even.length / 2)
}
