import { open } from 'node:fs/promises'
import { serveChild } from '#engine/child/serve-child.ts'
import type { EmitEvent } from '#engine/child/protocol.ts'
import { sampleRate } from '../decoded-audio.ts'
import { openSilero } from './silero.ts'
import { createVoiceFinder } from './voice-finder.ts'
import type { VoiceRun } from './voice-run.ts'

export interface FindVoiceParams {
  modelPath: string
  /** Interleaved signed 16-bit little-endian samples at 16 kHz. */
  pcmPath: string
  channelCount: number
  /** The channels to analyse, each with the factor that brings it to the level Silero VAD works best at. */
  channels: { channel: number; gain: number }[]
}

/** The child's events: the seconds of the recording processed so far. */
export type FindVoiceProgress = number

const methods = {
  /** Returns the voiced runs, one list for each of `channels`. Reads the file in chunks of a second. */
  findVoice: async (params: FindVoiceParams, emit: EmitEvent): Promise<VoiceRun[][]> => {
    const { modelPath, pcmPath, channelCount, channels } = params
    const finder = createVoiceFinder(await openSilero(modelPath), channels.length)
    let seconds = 0
    for await (const samples of readSeconds(pcmPath, channelCount)) {
      await finder.add(channels.map((source) => pickChannel(samples, channelCount, source)))
      seconds += 1
      if (seconds % 30 === 0) emit(seconds satisfies FindVoiceProgress)
    }
    return finder.finish()
  },
}

export type DetectorMethods = typeof methods

/** Reads the samples one second at a time; an incomplete last block is dropped. */
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
