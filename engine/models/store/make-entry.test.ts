import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toyWhisperMetadata } from '#engine/speech/onnx-whisper/testing/metadata.ts'
import { encodeOnnxModel } from '#engine/onnx/testing/onnx-contents.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { bundledModelsDir, readCatalog } from '../catalog.ts'
import { makeGgmlEntry, makeOnnxEntry } from './make-entry.ts'

const catalog = await readCatalog(bundledModelsDir)

/** Returns the entry that an import makes for a Whisper model of these dimensions; only its header is read. */
async function importHeader(width: number, layers: number, id = 'ours') {
  const path = join(await temporaryFolder(), 'ours.bin')
  const header = [0x67676d6c, 51_865, 1500, width, width / 64, layers, 448, width, width / 64, layers, 80, 1]
  await writeFile(path, Buffer.from(Int32Array.from(header).buffer))
  const known = catalog.find((entry) => entry.id === id)
  return makeGgmlEntry({ id, fallbackName: id, file: 'ours.bin', known, options: {} }, path)
}

function decodingOf(id: string) {
  const entry = catalog.find((each) => each.id === id)
  if (entry?.kind !== 'speech') throw new Error(`There is no speech model ${id}`)
  return { decoding: entry.decoding, languageDecoding: entry.languageDecoding }
}

test.each([
  ['whisper-tiny', 384, 4],
  ['whisper-base', 512, 6],
  ['whisper-small', 768, 12],
  ['whisper-medium', 1024, 24],
  ['whisper-large-v3', 1280, 32],
])('an imported Whisper of the size of %s has its decoding settings', async (id, width, layers) => {
  expect(await importHeader(width, layers)).toMatchObject(decodingOf(id))
})

test('a Whisper of an unknown size uses beam search for Persian', async () => {
  const languageDecoding = { fa: { beamSize: 5, temperatureStep: 0.2 } }
  expect(await importHeader(640, 7)).toMatchObject({ decoding: {}, languageDecoding })
})

test('a model of the catalogue keeps its own settings', async () => {
  expect(await importHeader(512, 6, 'whisper-base-pashto')).toMatchObject({ languages: ['ps'], languageDecoding: {} })
})

/** Returns the entry that an import makes for an onnxruntime Whisper model whose encoder has this width and number of layers. */
async function importEncoder(width: number, layers: number) {
  const folder = await temporaryFolder()
  const sizes = { n_audio_state: String(width), n_audio_layer: String(layers) }
  const metadata = toyWhisperMetadata(sizes)
  await writeFile(join(folder, 'encoder.onnx'), encodeOnnxModel({ inputs: [], outputs: [], nodes: [], metadata }))
  const files = { encoder: { name: 'encoder.onnx' }, decoder: { name: 'decoder.onnx' }, tokens: { name: 'tokens.txt' } }
  const onnx = { family: 'whisper' as const, files, isInt8: false, float32Files: {} }
  return makeOnnxEntry({ id: 'ours', fallbackName: 'ours', file: 'ours', known: undefined, options: {} }, onnx, folder)
}

test('an imported Whisper for onnxruntime has the decoding settings of the catalogue’s of its size', async () => {
  expect(await importEncoder(512, 6)).toMatchObject(decodingOf('whisper-base-onnx'))
})

test('one of another size uses beam search for Persian', async () => {
  expect(await importEncoder(640, 7)).toMatchObject({ decoding: {}, languageDecoding: { fa: { beamSize: 5 } } })
})
