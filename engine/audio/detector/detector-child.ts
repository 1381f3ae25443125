import { open } from 'node:fs/promises'
import { serveChild } from '#engine/child/serve-child.ts'
import type { EmitEvent } from '#engine/child/protocol.ts'
import { sampleRate } from '../decoded-audio.ts'
import { createVoiceFinder } from './voice-finder.ts'
import type { VoiceRun } from './voice-run.ts'

export interface FindVoiceParams {
  modelPath: string
  /** Interleaved signed 16-bit little-endian samples at 16 kHz. */
  pcmPath: string
  channelCount: number
  /** The channels to listen to, and the factor that brings each to the level Silero's network is used to. */
  channels: { channel: number; gain: number }[]
}

/** What the child emits: seconds of the recording that it has listened to. */
export type FindVoiceProgress = number

const methods = {
  /** Returns where a voice is heard, one list for each of `channels`. The file is read piece by piece. */
  findVoice: async (params: FindVoiceParams, emit: EmitEvent): Promise<VoiceRun[][]> => {
    const { modelPath, pcmPath, channelCount, channels } = params
    const finders = channels.map((source) => ({ source, finder: createVoiceFinder(modelPath) }))
    let seconds = 0
    for await (const samples of readSeconds(pcmPath, channelCount)) {
      for (const { source, finder } of finders) finder.add(pickChannel(samples, channelCount, source))
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
