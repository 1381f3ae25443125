import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { serveChild } from '#engine/child/serve-child.ts'
import type { EmitEvent } from '#engine/child/protocol.ts'
import { sampleRate } from '../decoded-audio.ts'
import type { SpeechSpan } from '../speech-span.ts'
import { createVoiceFinder } from './voice-finder.ts'
import type { Sherpa } from './voice-finder.ts'

export interface FindVoiceParams {
  modelPath: string
  /** Interleaved signed 16-bit little-endian samples at 16 kHz. */
  pcmPath: string
  channelCount: number
  /** The channels to listen to. */
  channels: number[]
}

/** What the child emits: seconds of the recording that it has listened to. */
export type FindVoiceProgress = number

const methods = {
  /** Returns where a voice is heard, one list for each of `channels`. The file is read piece by piece. */
  findVoice: async (params: FindVoiceParams, emit: EmitEvent): Promise<SpeechSpan[][]> => {
    const { modelPath, pcmPath, channelCount, channels } = params
    const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa // it ships no types
    const finders = channels.map((channel) => ({ channel, finder: createVoiceFinder(sherpa, modelPath) }))
    let seconds = 0
    for await (const samples of readSeconds(pcmPath, channelCount)) {
      for (const { channel, finder } of finders) finder.add(pickChannel(samples, channel, channelCount))
      seconds += 1
      if (seconds % 30 === 0) emit(seconds satisfies FindVoiceProgress)
    }
    return finders.map(({ finder }) => finder.finish())
  },
}

export type DetectorMethods = typeof methods

/** Reads the samples a second at a time; a last block that is not whole is left out. */
async function* readSeconds(pcmPath: string, channelCount: number): AsyncGenerator<Int16Array> {
  const samples = new Int16Array(sampleRate * channelCount)
  const bytes = new Uint8Array(samples.buffer)
  const file = await open(pcmPath)
  try {
    let filled = 0
    for (;;) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled)
      filled += bytesRead
      if (bytesRead > 0 && filled < bytes.length) continue
      const blocks = Math.floor(filled / 2 / channelCount)
      if (blocks > 0) yield samples.subarray(0, blocks * channelCount)
      if (bytesRead === 0) return
      filled = 0
    }
  } finally {
    await file.close()
  }
}

function pickChannel(samples: Int16Array, channel: number, channelCount: number): Float32Array {
  const picked = new Float32Array(samples.length / channelCount)
  for (let at = 0; at < picked.length; at += 1) picked[at] = (samples[at * channelCount + channel] ?? 0) / 32768
  return picked
}

serveChild(methods)
