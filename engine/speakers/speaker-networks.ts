import { join } from 'node:path'
import { bundledModelsDir } from '#engine/models/catalog.ts'

/** The networks for diarization, in sherpa-onnx's format, and thresholds tuned for them. */
export interface SpeakerNetworks {
  /** Speaker embedding of one or two seconds of audio. */
  embeddingPath: string
  /** Speaker segmentation of ten seconds of a room, overlapping speech included. */
  segmentationPath: string
  thresholds: {
    /** For telephone audio in recordings of more than ten minutes: minimum mean cosine between windows of one voice in a block. */
    telephoneBlocks: number
    /** For telephone audio: minimum similarity at which two voices are merged. See mergeSimilarVoices. */
    sameVoice: number
    /** For wide-band audio: maximum cosine distance within one voice in the diarization of sherpa-onnx. */
    room: number
    /** For wide-band audio in recordings of more than five minutes: minimum mean cosine between windows of one voice in two blocks. */
    roomBlocks: number
  }
}

export const bundledNetworks: SpeakerNetworks = {
  embeddingPath: join(bundledModelsDir, 'speakers', 'campplus-zh-en-fp16.onnx'),
  segmentationPath: join(bundledModelsDir, 'speakers', 'pyannote-segmentation-3.0-fp16.onnx'),
  thresholds: { telephoneBlocks: 0.74, sameVoice: 0.9, room: 0.8, roomBlocks: 0.5 },
}
