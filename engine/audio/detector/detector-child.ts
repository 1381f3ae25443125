import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { serveChild } from '#engine/child/serve-child.ts'
import type { EmitEvent } from '#engine/child/protocol.ts'
import { findVoice } from './voice-finder.ts'
import type { VoiceSource } from './voice-finder.ts'
import { loadVoiceNetwork } from './voice-network.ts'
import type { VoiceRun } from './voice-run.ts'

export interface FindVoiceParams {
  modelPath: string
  /** Interleaved signed 16-bit little-endian samples at 16 kHz. */
  pcmPath: string
  channelCount: number
  /** The channels to analyze, each with the factor that brings it to the level Silero VAD works best at. */
  channels: { channel: number; gain: number }[]
}

/** The child's events: the seconds of the recording processed so far. */
export type FindVoiceProgress = number

/** Progress is sent this often, in seconds of the recording. */
const progressInterval = 30

const methods = {
  /** Returns the voiced runs, one list for each of `channels`. Reads the file in blocks of two seconds. */
  findVoice: async (params: FindVoiceParams, emit: EmitEvent): Promise<VoiceRun[][]> => {
    const network = await loadVoiceNetwork(params.modelPath)
    await using file = await open(params.pcmPath)
    let sentSeconds = 0
    return await findVoice(network, await toSource(file, params), (seconds) => {
      if (seconds - sentSeconds < progressInterval) return
      sentSeconds = seconds
      emit(seconds satisfies FindVoiceProgress)
    })
  },
}

export type DetectorMethods = typeof methods

/** Reads the channels of a file; an incomplete last block of samples is dropped. */
async function toSource(file: FileHandle, { channelCount, channels }: FindVoiceParams): Promise<VoiceSource> {
  const blockBytes = 2 * channelCount
  const { size } = await file.stat()
  const sampleCount = Math.floor(size / blockBytes)
  return {
    streamCount: channels.length,
    sampleCount,
    read: async (from, count) => {
      const samples = new Int16Array(count * channelCount)
      const bytes = Math.min(count, sampleCount - from) * blockBytes
      await readWhole(file, new Uint8Array(samples.buffer, 0, bytes), from * blockBytes)
      return channels.map((channel) => pickChannel(samples, channelCount, channel))
    },
  }
}

async function readWhole(file: FileHandle, into: Uint8Array, position: number): Promise<void> {
  for (let filled = 0; filled < into.length;) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled)
    if (bytesRead === 0) return
    filled += bytesRead
  }
}

function pickChannel(
  samples: Int16Array,
  channelCount: number,
  { channel, gain }: { channel: number; gain: number },
): Float32Array {
  const picked = new Float32Array(samples.length / channelCount)
  for (let at = 0; at < picked.length; at += 1) {
    const sample = ((samples[at * channelCount + channel] ?? 0) / 32_768) * gain
    picked[at] = Math.max(-1, Math.min(1, sample))
  }
  return picked
}

serveChild(methods)
