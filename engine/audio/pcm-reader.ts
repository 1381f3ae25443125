import { maxChannels } from '#contract/audio-channels.ts'
import { maxChannelsError } from './decode-errors.ts'
import { sampleRate } from './decoded-audio.ts'
import { createFrameStatistics } from './frame-statistics.ts'
import type { FrameStatistics } from './frame-statistics.ts'
import { parseWavHeader } from './wav-header.ts'

interface ReadChannels {
  /** Channels of the samples. */
  channelCount: 1 | 2
  /** Channels of the file. */
  sourceChannelCount: number
}

export interface PcmReader {
  /** Pipeline stage that takes a WAV stream and yields its bare samples. Throws `unsupported_audio` for too many channels. */
  transform(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  /** Returns undefined if the stream ended before its header was complete. */
  finish(): (FrameStatistics & ReadChannels) | undefined
}

/**
 * Strips the header from a WAV stream, mixes more than two channels into one and collects the statistics of the samples that pass through.
 */
export function createPcmReader(onProgress?: (decodedMs: number) => void): PcmReader {
  let statistics: ReturnType<typeof createFrameStatistics> | undefined
  const channels: ReadChannels = { channelCount: 1, sourceChannelCount: 1 }
  let rest: Buffer = Buffer.alloc(0)
  let sampleCount = 0

  /** Returns the bytes after the header, or all of them while the header is incomplete. */
  function readHeader(bytes: Buffer): Buffer {
    const header = parseWavHeader(bytes)
    if (!header) return bytes
    if (header.channelCount > maxChannels) throw maxChannelsError(header.channelCount, maxChannels)
    channels.sourceChannelCount = Math.max(1, header.channelCount)
    channels.channelCount = header.channelCount === 2 ? 2 : 1
    statistics = createFrameStatistics(channels.channelCount)
    return bytes.subarray(header.dataOffset)
  }

  return {
    async *transform(source) {
      for await (const chunk of source) {
        rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
        if (!statistics) rest = readHeader(rest)
        if (!statistics) continue
        const blockBytes = channels.sourceChannelCount * 2
        const whole = rest.subarray(0, rest.length - (rest.length % blockBytes))
        rest = rest.subarray(whole.length)
        if (whole.length === 0) continue
        const samples = toSamples(whole)
        const mixed = channels.sourceChannelCount > 2 ? mixDown(samples, channels.sourceChannelCount) : samples
        statistics.add(mixed)
        sampleCount += mixed.length / channels.channelCount
        onProgress?.(Math.round((sampleCount * 1000) / sampleRate))
        yield mixed === samples ? whole : Buffer.from(mixed.buffer)
      }
    },
    finish: () => statistics && { ...statistics.finish(), ...channels },
  }
}

/** Returns the mean of the channels, which cannot exceed full scale. */
function mixDown(samples: Int16Array, channelCount: number): Int16Array<ArrayBuffer> {
  const mixed = new Int16Array(samples.length / channelCount)
  for (let block = 0; block < mixed.length; block += 1) {
    let sum = 0
    for (let channel = 0; channel < channelCount; channel += 1) sum += samples[block * channelCount + channel] ?? 0
    mixed[block] = Math.round(sum / channelCount)
  }
  return mixed
}

function toSamples(bytes: Buffer): Int16Array {
  // An Int16Array must start at an even offset; a chunk split inside the header may not.
  const even = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(bytes)
  return new Int16Array(even.buffer, even.byteOffset, even.length / 2)
}
