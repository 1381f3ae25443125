import { join } from 'node:path'
import { bundledModelsDir } from '#engine/models/catalog.ts'

/** The networks by which voices are told apart, in sherpa-onnx's format, and the thresholds that fit them. */
export interface SpeakerNetworks {
  /** Gives a sound of a second or two the vector of its voice. */
  embeddingPath: string
  /** Tells in ten seconds of a room who speaks when, several at once included. */
  segmentationPath: string
  thresholds: {
    /** For sound from a telephone, in recordings of more than ten minutes: least mean cosine between windows of one voice in a block. */
    telephoneBlocks: number
    /** There too: how alike two voices that were counted must be to be one. See mergeAlike. */
    sameVoice: number
    /** For wide-band sound: largest cosine distance between parts of one voice in sherpa-onnx's own diarization. */
    room: number
    /** There too, in recordings of more than five minutes: least mean cosine between windows of one voice in two blocks. */
    roomBlocks: number
  }
}

export const bundledNetworks: SpeakerNetworks = {
  embeddingPath: join(bundledModelsDir, 'speakers', 'campplus-zh-en-fp16.onnx'),
  segmentationPath: join(bundledModelsDir, 'speakers', 'pyannote-segmentation-3.0-fp16.onnx'),
  thresholds: { telephoneBlocks: 0.74, sameVoice: 0.9, room: 0.8, roomBlocks: 0.5 },
}
