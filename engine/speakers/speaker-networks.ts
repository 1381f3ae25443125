import { join } from 'node:path'
import { bundledModelsDir } from '#engine/models/catalog.ts'

/** The networks by which voices are told apart, in sherpa-onnx's format, and the thresholds that fit them. */
export interface SpeakerNetworks {
  /** Gives a sound of a second or two the vector of its voice. */
  embeddingPath: string
  /** Tells in ten seconds of a room who speaks when, several at once included. */
  segmentationPath: string
  thresholds: {
    /** Least mean cosine between windows of one voice in sound from a telephone. */
    telephone: number
    /** Largest cosine distance between parts of one voice in sherpa-onnx's own diarization, for wide-band sound. */
    room: number
  }
}

export const bundledNetworks: SpeakerNetworks = {
  embeddingPath: join(bundledModelsDir, 'speakers', 'campplus-zh-en-fp16.onnx'),
  segmentationPath: join(bundledModelsDir, 'speakers', 'pyannote-segmentation-3.0-fp16.onnx'),
  thresholds: { telephone: 0.5, room: 0.8 },
}
