import { open } from 'node:fs/promises'
import { bundledModelsDir, readCatalog } from '../catalog.ts'
import type { SpeechModelEntry } from '../model-entry.ts'

/** Offsets of the encoder's width and layer count in a ggml file. */
const widthOffset = 12
const layersOffset = 20

/** The catalogue's Whisper of each size, by width and layers of the encoder, in which the turbo model equals large-v3. */
const idBySize: Record<string, string> = {
  '384x4': 'whisper-tiny',
  '512x6': 'whisper-base',
  '768x12': 'whisper-small',
  '1024x24': 'whisper-medium',
  '1280x32': 'whisper-large-v3',
}

/** Returns the catalogue's Whisper of the same size as a ggml file, whose settings suit other models of that size. */
export async function findWhisperOfSize(path: string): Promise<SpeechModelEntry | undefined> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(24), 0, 24, 0)
    const size = `${buffer.readInt32LE(widthOffset)}x${buffer.readInt32LE(layersOffset)}`
    const id = idBySize[size]
    const found = (await readCatalog(bundledModelsDir)).find((entry) => entry.id === id)
    return found?.kind === 'speech' ? found : undefined
  } finally {
    await file.close()
  }
}
