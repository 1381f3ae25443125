import { join } from 'node:path'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { SpeechModelEntry } from '#engine/models/model-entry.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'

const folder = join(import.meta.dirname, 'toy-whisper')

/** Folders with the same toy model: as converted by Awaz, and as exported by sherpa-onnx's script. */
export const toyWhisperFolders = { ours: folder, sherpa: join(folder, 'sherpa') }

/** Returns a Whisper model of seven words; toy-whisper/make.py documents which samples produce which text. */
export function toyWhisperModel(path = folder): SherpaSpeechModel {
  const files = { encoder: { name: 'encoder.onnx' }, decoder: { name: 'decoder.onnx' }, tokens: { name: 'tokens.txt' } }
  const entry = SpeechModelEntry.parse({
    kind: 'speech',
    id: 'toy-whisper',
    name: 'Toy Whisper',
    file: 'toy-whisper',
    url: null,
    sizeBytes: null,
    sha256: null,
    sha1: null,
    licence: 'MIT',
    languages: ['en', 'fa'],
    minAudioContext: 64,
    sherpa: { family: 'whisper', files },
  })
  if (!entry.sherpa) throw new Error('The entry is for another engine')
  return { ...entry, sherpa: entry.sherpa, path }
}

interface Tone {
  startMs: number
  endMs: number
  hertz: number
}

/** Returns audio with tones as loud as the toy model requires. */
export function toyTones(durationMs: number, ...parts: Tone[]): Float32Array {
  return Float32Array.from({ length: (durationMs * sampleRate) / 1000 }, (_, at) => {
    const ms = (at * 1000) / sampleRate
    const tone = parts.find(({ startMs, endMs }) => ms >= startMs && ms < endMs)
    return tone ? 0.5 * Math.sin((2 * Math.PI * tone.hertz * ms) / 1000) : 0
  })
}
