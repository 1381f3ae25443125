import { SpeechModelEntry } from '#engine/models/model-entry.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'
import { whisperOnnxDir } from '#testing/real-data.ts'

/** Returns Whisper base as an operator would enter it, without checksums. */
export function whisperBaseOnnxModel(): SherpaSpeechModel {
  const sherpa = {
    family: 'whisper',
    isInt8: true,
    files: {
      encoder: { name: 'encoder.int8.onnx' },
      decoder: { name: 'decoder.int8.onnx' },
      tokens: { name: 'tokens.txt' },
    },
    float32Files: { encoder: { name: 'encoder.onnx' }, decoder: { name: 'decoder.onnx' } },
  }
  const entry = SpeechModelEntry.parse({
    kind: 'speech',
    id: 'whisper-base-onnx',
    name: 'Whisper base, ONNX',
    file: 'whisper-base-onnx',
    url: null,
    sizeBytes: null,
    sha256: null,
    sha1: null,
    licence: 'MIT',
    languages: ['ps', 'en', 'ur', 'fa', 'ar'],
    sherpa,
  })
  if (!entry.sherpa) throw new Error('The entry is for another engine')
  return { ...entry, sherpa: entry.sherpa, path: whisperOnnxDir }
}
