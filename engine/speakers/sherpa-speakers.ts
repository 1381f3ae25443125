import { createRequire } from 'node:module'
import { sampleRate } from '#engine/audio/decoded-audio.ts'

const require = createRequire(import.meta.url)

/** The part of sherpa-onnx-node that we use; it ships no types. */
interface Sherpa {
  SpeakerEmbeddingExtractor: new (config: object) => SherpaExtractor
  OfflineSpeakerDiarization: new (config: object) => SherpaDiarization
}

interface SherpaStream {
  acceptWaveform(sound: { sampleRate: number; samples: Float32Array }): void
  inputFinished(): void
}

interface SherpaExtractor {
  createStream(): SherpaStream
  isReady(stream: SherpaStream): boolean
  compute(stream: SherpaStream, enableExternalBuffer: boolean): Float32Array
}

/** A segment of one speaker, in seconds of the given samples. */
export interface DiarizedSegment {
  start: number
  end: number
  speaker: number
}

interface SherpaDiarization {
  setConfig(config: { clustering: { numClusters: number; threshold: number } }): void
  process(samples: Float32Array): DiarizedSegment[]
}

export interface NetworkPaths {
  embeddingPath: string
  segmentationPath: string
}

export type EmbedVoice = (samples: Float32Array) => Float32Array | undefined

/**
 * Loads a speaker embedding network. The returned function returns undefined for audio that is too short for it. This is native code: a
 * damaged file ends the process.
 */
export function loadEmbedding({ embeddingPath }: NetworkPaths): EmbedVoice {
  const { SpeakerEmbeddingExtractor } = require('sherpa-onnx-node') as Sherpa // it ships no types
  const extractor = new SpeakerEmbeddingExtractor({ model: embeddingPath, numThreads: 1, debug: 0 })
  return (samples) => {
    const stream = extractor.createStream()
    stream.acceptWaveform({ sampleRate, samples })
    stream.inputFinished()
    return extractor.isReady(stream) ? extractor.compute(stream, false) : undefined
  }
}

export interface ClusteringSettings {
  /** Maximum cosine distance within one voice. */
  threshold: number
  /** Replaces the threshold. */
  voiceCount?: number
}

export type Diarize = (samples: Float32Array, settings: ClusteringSettings) => DiarizedSegment[]

/** Loads both networks for sherpa-onnx's diarization. This is native code: a damaged file ends the process. */
export function loadDiarization({ embeddingPath, segmentationPath }: NetworkPaths): Diarize {
  const { OfflineSpeakerDiarization } = require('sherpa-onnx-node') as Sherpa // it ships no types
  const diarization = new OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: segmentationPath }, numThreads: 1, debug: 0 },
    embedding: { model: embeddingPath, numThreads: 1, debug: 0 },
    clustering: { numClusters: -1, threshold: 0.5 },
    minDurationOn: 0.2,
    minDurationOff: 0.5,
  })
  return (samples, { threshold, voiceCount = -1 }) => {
    diarization.setConfig({ clustering: { numClusters: voiceCount, threshold } })
    return diarization.process(samples)
  }
}
