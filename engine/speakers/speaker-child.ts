import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { serveChild } from '#engine/child/serve-child.ts'
import type { EmitEvent } from '#engine/child/protocol.ts'
import { createBandMeter } from './band.ts'
import { loadDiarization, loadEmbedding } from './sherpa-speakers.ts'
import type { ClusteringSettings, Diarize, DiarizedSegment, Embed, NetworkPaths } from './sherpa-speakers.ts'

/** One channel of a recording on disk: interleaved signed 16-bit little-endian samples at 16 kHz. */
export interface ChannelSource {
  pcmPath: string
  channelCount: number
  channel: number
}

export interface EmbedParams extends ChannelSource {
  windows: SpeechSpan[]
}

export interface DiarizeParams extends ChannelSource {
  settings: ClusteringSettings
  span: SpeechSpan
}

/** What the child emits: the share of the call's work that is done, 0 to 1. */
export type SpeakerProgress = number

/** Windows between two messages of progress. */
const emitEvery = 16

let networks: { embed: Embed; diarize: Diarize } | undefined

const methods = {
  /** Returns how much of the energy of these spans lies above 4 kHz, in dB of what lies below. */
  measureBand: async ({ windows, ...source }: EmbedParams): Promise<number> => {
    const meter = createBandMeter()
    await readSpans(source, windows, (samples) => meter.add(samples))
    return meter.highDb()
  },

  /** Loads the networks, or ends the process where a file is damaged. */
  load: (paths: NetworkPaths): void => {
    networks = { embed: loadEmbedding(paths), diarize: loadDiarization(paths) }
  },

  /** Returns a vector for each window; undefined for one that is too short or beyond the end of the recording. */
  embedWindows: async (params: EmbedParams, emit: EmitEvent): Promise<(Float32Array | undefined)[]> => {
    const { windows, ...source } = params
    const vectors: (Float32Array | undefined)[] = []
    await readSpans(source, windows, (samples) => {
      vectors.push(samples.length === 0 ? undefined : networks?.embed(samples))
      if (vectors.length % emitEvery === 0) emit((vectors.length / windows.length) satisfies SpeakerProgress)
    })
    return vectors
  },

  /** Returns who speaks when in one stretch by sherpa-onnx's own diarization, in seconds of the stretch. */
  diarize: async ({ settings, span, ...source }: DiarizeParams): Promise<DiarizedSegment[]> => {
    let segments: DiarizedSegment[] = []
    await readSpans(source, [span], (samples) => {
      if (samples.length > 0) segments = networks?.diarize(samples, settings) ?? []
    })
    return segments
  },
}

export type SpeakerMethods = typeof methods

/** Calls `use` with the samples of each span in turn, -1 to 1, as many as the file has. */
async function readSpans(
  { pcmPath, channelCount, channel }: ChannelSource,
  spans: SpeechSpan[],
  use: (samples: Float32Array) => void,
): Promise<void> {
  const file = await open(pcmPath)
  try {
    for (const { startMs, endMs } of spans) {
      const first = Math.floor((startMs * sampleRate) / 1000)
      const count = Math.max(0, Math.floor((endMs * sampleRate) / 1000) - first)
      const blocks = await readBlocks(file, first * channelCount, count * channelCount)
      const samples = new Float32Array(Math.floor(blocks.length / channelCount))
      for (let at = 0; at < samples.length; at += 1) samples[at] = (blocks[at * channelCount + channel] ?? 0) / 32_768
      use(samples)
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

serveChild(methods)
