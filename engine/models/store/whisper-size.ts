import { open } from 'node:fs/promises'
import { bundledModelsDir, readCatalog } from '../catalog.ts'
import type { SpeechModelEntry } from '../model-entry.ts'
import { readOnnx } from '../onnx-file.ts'

/** Offsets of the encoder's width and layer count in a ggml file. */
const widthOffset = 12
const layersOffset = 20

/** The Whisper of each size in the catalog, by the encoder's width and layers, in which the turbo model equals large-v3. */
const idBySize: Record<string, string> = {
  '384x4': 'whisper-tiny',
  '512x6': 'whisper-base',
  '768x12': 'whisper-small',
  '1024x24': 'whisper-medium',
  '1280x32': 'whisper-large-v3',
}

/** Returns the ggml Whisper in the catalog of the same size as a ggml file; its settings suit other models of that size. */
export async function findWhisperOfSize(path: string): Promise<SpeechModelEntry | undefined> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(24), 0, 24, 0)
    const id = idBySize[`${buffer.readInt32LE(widthOffset)}x${buffer.readInt32LE(layersOffset)}`]
    return (await listSpeech()).find((entry) => entry.id === id)
  } finally {
    await file.close()
  }
}

/** Returns the onnxruntime Whisper in the catalog of the same size as an encoder; undefined if there is none. */
export async function findOnnxWhisperOfSize(encoderPath: string): Promise<SpeechModelEntry | undefined> {
  const read = await readOnnx(encoderPath)
  if ('problem' in read) return undefined
  const id = idBySize[`${read.metadata.get('n_audio_state')}x${read.metadata.get('n_audio_layer')}`]
  return (await listSpeech()).find(({ sherpa, weights }) => sherpa?.family === 'whisper' && weights === id)
}

async function listSpeech(): Promise<SpeechModelEntry[]> {
  return (await readCatalog(bundledModelsDir)).flatMap((entry) => (entry.kind === 'speech' ? [entry] : []))
}
