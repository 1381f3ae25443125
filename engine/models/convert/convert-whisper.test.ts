import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { writeCTranslate2Folder } from '#testing/ctranslate2-folder.ts'
import { readGgmlContents, toFloats } from '#testing/ggml-contents.ts'
import type { GgmlContents } from '#testing/ggml-contents.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import {
  createVocabulary,
  createWeights,
  encodeShards,
  multilingual,
  writeHuggingFaceFolder,
} from '#testing/whisper-folder.ts'
import type { SafetensorsFormat, SmallWhisper, Tensor } from '#testing/whisper-folder.ts'
import { findGgmlProblem } from '../ggml-file.ts'
import { quantizeWhisper } from '../quantize-ggml.ts'
import { convertWhisper, findWhisperFolder } from './convert-whisper.ts'
import { createMelFilters } from './mel-filters.ts'

const weights = createWeights(multilingual)

/** Names of some tensors of each kind in ggml files (whisper.cpp, models/convert-h5-to-ggml.py) and in transformers. */
const names = {
  'encoder.conv1.weight': 'model.encoder.conv1.weight',
  'encoder.conv2.bias': 'model.encoder.conv2.bias',
  'encoder.positional_embedding': 'model.encoder.embed_positions.weight',
  'encoder.ln_post.bias': 'model.encoder.layer_norm.bias',
  'encoder.blocks.0.attn.query.weight': 'model.encoder.layers.0.self_attn.q_proj.weight',
  'encoder.blocks.0.attn.key.weight': 'model.encoder.layers.0.self_attn.k_proj.weight',
  'encoder.blocks.0.attn.value.bias': 'model.encoder.layers.0.self_attn.v_proj.bias',
  'encoder.blocks.0.attn.out.weight': 'model.encoder.layers.0.self_attn.out_proj.weight',
  'encoder.blocks.0.attn_ln.weight': 'model.encoder.layers.0.self_attn_layer_norm.weight',
  'encoder.blocks.0.mlp.0.weight': 'model.encoder.layers.0.fc1.weight',
  'encoder.blocks.0.mlp.2.bias': 'model.encoder.layers.0.fc2.bias',
  'encoder.blocks.0.mlp_ln.bias': 'model.encoder.layers.0.final_layer_norm.bias',
  'decoder.positional_embedding': 'model.decoder.embed_positions.weight',
  'decoder.token_embedding.weight': 'model.decoder.embed_tokens.weight',
  'decoder.ln.weight': 'model.decoder.layer_norm.weight',
  'decoder.blocks.0.attn.value.weight': 'model.decoder.layers.0.self_attn.v_proj.weight',
  'decoder.blocks.0.cross_attn.query.bias': 'model.decoder.layers.0.encoder_attn.q_proj.bias',
  'decoder.blocks.0.cross_attn.key.weight': 'model.decoder.layers.0.encoder_attn.k_proj.weight',
  'decoder.blocks.0.cross_attn.value.weight': 'model.decoder.layers.0.encoder_attn.v_proj.weight',
  'decoder.blocks.0.cross_attn.out.bias': 'model.decoder.layers.0.encoder_attn.out_proj.bias',
  'decoder.blocks.0.cross_attn_ln.bias': 'model.decoder.layers.0.encoder_attn_layer_norm.bias',
}

async function convert(folder: string): Promise<GgmlContents & { path: string }> {
  const path = join(folder, 'out.bin')
  await convertWhisper(folder, path)
  expect(await findGgmlProblem(path)).toBeUndefined()
  return { ...(await readGgmlContents(path)), path }
}

function expectWeights({ tensors }: GgmlContents, round: (values: Float32Array) => Float32Array = (values) => values) {
  for (const [name, original] of Object.entries(names)) {
    const { shape, values } = weights.get(original) as Tensor // `names` lists tensors of every model
    const tensor = tensors.get(name)
    const isFloat = name.endsWith('bias') || name.includes('ln') || name.includes('positional')
    const dims = /conv\d\.bias/.test(name) ? [1, ...shape] : shape.toReversed()
    expect([name, tensor?.type, tensor?.dims]).toEqual([name, isFloat ? 0 : 1, dims])
    const expected = isFloat ? round(values) : new Float16Array(round(values))
    expect([name, tensor?.data.equals(new Uint8Array(expected.buffer))]).toEqual([name, true])
  }
}

describe('a Hugging Face folder', () => {
  test.each<[SafetensorsFormat, (values: Float32Array) => Float32Array]>([
    ['F32', (values) => values],
    ['F16', (values) => new Float32Array(new Float16Array(values))],
    [
      'BF16',
      (values) =>
        new Float32Array(new Uint32Array(new Float32Array(values).buffer).map((bits) => bits & 0xffff0000).buffer),
    ],
  ])('of %s weights is converted with every weight in its place', async (format, round) => {
    const folder = await temporaryFolder()
    await writeHuggingFaceFolder(folder, multilingual, { weights, format })
    const contents = await convert(folder)
    expect(contents.header).toEqual([0x67676d6c, 51_865, 1500, 64, 1, 1, 448, 64, 1, 1, 80, 1])
    expect(contents.filters).toEqual(createMelFilters(80))
    expectWeights(contents, round)
  })

  test.each<[string, SmallWhisper]>([
    ['English only', { vocabulary: 51_864, melBands: 80, audioLayers: 1, textLayers: 1 }],
    ['large-v3', { vocabulary: 51_866, melBands: 128, audioLayers: 2, textLayers: 2 }],
    ['distilled', { vocabulary: 51_866, melBands: 128, audioLayers: 3, textLayers: 1 }],
  ])('of a model like %s has its sizes, filters and vocabulary', async (_, whisper) => {
    const folder = await temporaryFolder()
    await writeHuggingFaceFolder(folder, whisper, { format: 'F16' })
    const { header, filters, words, tensors } = await convert(folder)
    const { vocabulary, melBands, audioLayers, textLayers } = whisper
    expect(header).toEqual([0x67676d6c, vocabulary, 1500, 64, 1, audioLayers, 448, 64, 1, textLayers, melBands, 1])
    expect(filters).toEqual(createMelFilters(melBands))
    expect(words).toHaveLength(vocabulary === 51_864 ? 50_256 : 50_257)
    expect(tensors.size).toBe(11 + 15 * audioLayers + 24 * textLayers)
  })

  test('in shards converts to the same file', async () => {
    const [whole, sharded] = [await temporaryFolder(), await temporaryFolder()]
    for (const folder of [whole, sharded]) await writeHuggingFaceFolder(folder, multilingual, { weights })
    await rm(join(sharded, 'model.safetensors'))
    for (const [name, bytes] of Object.entries(encodeShards(weights))) await writeFile(join(sharded, name), bytes)
    const [expected, written] = [await convert(whole), await convert(sharded)]
    expect((await readFile(written.path)).equals(await readFile(expected.path))).toBe(true)
  })

  test.each<[string, (name: string) => string]>([
    ['saved without its head', (name) => name.replace('model.', '')],
    [
      'that kept its output layer for the embedding',
      (name) => (name.includes('embed_tokens') ? 'proj_out.weight' : name),
    ],
  ])('%s converts to the same file', async (_, rename) => {
    const folder = await temporaryFolder()
    const renamed = new Map([...weights].map(([name, tensor]) => [rename(name), tensor]))
    await writeHuggingFaceFolder(folder, multilingual, { weights: renamed })
    expectWeights(await convert(folder))
  })
})

describe('a CTranslate2 folder', () => {
  test('of floats converts to the same file as the Hugging Face folder', async () => {
    const [floats, huggingFace] = [await temporaryFolder(), await temporaryFolder()]
    await writeCTranslate2Folder(floats, multilingual, { weights, quantization: 'float32' })
    await writeHuggingFaceFolder(huggingFace, multilingual, { weights })
    const [written, expected] = [await convert(floats), await convert(huggingFace)]
    expect((await readFile(written.path)).equals(await readFile(expected.path))).toBe(true)
  })

  test.each<['float16' | 'bfloat16', SafetensorsFormat]>([
    ['float16', 'F16'],
    ['bfloat16', 'BF16'],
  ])('of %s converts to the same file as the Hugging Face folder of %s', async (quantization, format) => {
    const [halves, huggingFace] = [await temporaryFolder(), await temporaryFolder()]
    await writeCTranslate2Folder(halves, multilingual, { weights, quantization })
    await writeHuggingFaceFolder(huggingFace, multilingual, { weights, format })
    const [written, expected] = [await convert(halves), await convert(huggingFace)]
    expect((await readFile(written.path)).equals(await readFile(expected.path))).toBe(true)
  })

  test.each<['int8' | 'int16', number]>([
    ['int8', 127],
    ['int16', 1023],
  ])('of %s restores weights to half a step', async (quantization, steps) => {
    const folder = await temporaryFolder()
    await writeCTranslate2Folder(folder, multilingual, { weights, quantization })
    const { tensors } = await convert(folder)
    for (const [name, original] of Object.entries(names)) {
      const { type = 0, data = Buffer.alloc(0) } = tensors.get(name) ?? {}
      const values = toFloats(data, type)
      const expected = weights.get(original)?.values ?? new Float32Array()
      expect(values).toHaveLength(expected.length)
      // Weights are at most 0.5; a half float of that size adds its own rounding.
      const largest = values.reduce((max, value, at) => Math.max(max, Math.abs(value - (expected[at] ?? 0))), 0)
      expect([name, largest < 0.5 / steps / 2 + 0.00025]).toEqual([name, true])
    }
  })
})

describe('the vocabulary', () => {
  const { words, specials } = createVocabulary(multilingual)
  const tokens = [...words, ...specials]
  const numbers = Object.fromEntries(tokens.map((token, number) => [token, number]))
  const addedTokens = specials.map((content, index) => ({ id: words.length + index, content, special: true }))
  const ofWords = Object.fromEntries(words.map((token, number) => [token, number]))

  test.each<[string, string]>([
    ['vocab.json', JSON.stringify(numbers)],
    ['vocabulary.json', JSON.stringify(tokens)],
    ['vocabulary.txt', `${tokens.join('\n')}\n`],
    [
      'tokenizer.json',
      JSON.stringify({ model: { type: 'BPE', vocab: ofWords, merges: [] }, added_tokens: addedTokens }),
    ],
  ])('of %s is written as bytes, up to the end-of-text token', async (name, content) => {
    const folder = await temporaryFolder()
    await writeHuggingFaceFolder(folder, multilingual, { weights })
    await rm(join(folder, 'vocab.json'))
    await writeFile(join(folder, name), content)
    const written = (await convert(folder)).words
    expect(written).toHaveLength(50_257)
    expect(written[0]).toEqual(Buffer.from('!'))
    expect(written[1]).toEqual(Buffer.from(' 1\nم'))
    expect(written.at(-1)).toEqual(Buffer.alloc(0))
  })
})

describe('convertWhisper', () => {
  async function writeFolder(): Promise<string> {
    const folder = await temporaryFolder()
    await writeHuggingFaceFolder(folder, multilingual, { weights })
    return folder
  }

  test('writes with q8_0 the same file as quantizing the converted one', async () => {
    const [folder, out] = [await writeFolder(), await temporaryFolder()]
    await convertWhisper(folder, join(out, 'f16.bin'))
    await quantizeWhisper(join(out, 'f16.bin'), join(out, 'expected.bin'))
    await convertWhisper(folder, join(out, 'q8.bin'), { quantize: 'q8_0' })
    expect((await readFile(join(out, 'q8.bin'))).equals(await readFile(join(out, 'expected.bin')))).toBe(true)
  })

  test('reports the bytes of weights written, up to the total', async () => {
    const [folder, out] = [await writeFolder(), await temporaryFolder()]
    const reports: [number, number][] = []
    const onProgress = (progress: { done: number; total: number }) => reports.push([progress.done, progress.total])
    await convertWhisper(folder, join(out, 'out.bin'), { onProgress })
    const { tensors } = await readGgmlContents(join(out, 'out.bin'))
    const weightBytes = [...tensors.values()].reduce((sum, { data }) => sum + data.length, 0)
    expect(reports.at(-1)).toEqual([weightBytes, weightBytes])
    expect(reports.every(([done], index) => done > (reports[index - 1]?.[0] ?? 0))).toBe(true)
  })

  test('writes the same files where the system takes a part of what it is given at a time', async () => {
    const [folder, out] = [await writeFolder(), await temporaryFolder()]
    await convertWhisper(folder, join(out, 'expected.bin'))
    await quantizeWhisper(join(out, 'expected.bin'), join(out, 'expected-q8.bin'))
    await using file = await open(join(out, 'expected.bin'))
    const handles: { write(bytes: Uint8Array): Promise<unknown> } = Object.getPrototypeOf(file)
    const { write } = handles
    vi.spyOn(handles, 'write').mockImplementation(function (this: FileHandle, bytes) {
      return write.call(this, bytes.subarray(0, 1_000_000))
    })
    onTestFinished(() => void vi.restoreAllMocks())
    await convertWhisper(folder, join(out, 'out.bin'))
    await quantizeWhisper(join(out, 'out.bin'), join(out, 'out-q8.bin'))
    for (const end of ['.bin', '-q8.bin']) {
      expect((await readFile(join(out, `out${end}`))).equals(await readFile(join(out, `expected${end}`)))).toBe(true)
    }
  })

  test('leaves no files when cancelled', async () => {
    const [folder, out] = [await writeFolder(), await temporaryFolder()]
    const controller = new AbortController()
    const onProgress = () => controller.abort()
    const conversion = convertWhisper(folder, join(out, 'out.bin'), { signal: controller.signal, onProgress })
    await expect(conversion).rejects.toMatchObject({ code: 'job_cancelled' })
    expect(await readdir(out)).toEqual([])
  })

  test('keeps the existing file until the new one is complete', async () => {
    const [folder, out] = [await writeFolder(), join(await temporaryFolder(), 'out.bin')]
    await writeFile(out, 'the model before')
    const conversion = convertWhisper(folder, out, { signal: AbortSignal.abort() })
    await expect(conversion).rejects.toMatchObject({ code: 'job_cancelled' })
    expect(await readFile(out, 'utf8')).toBe('the model before')
    await convertWhisper(folder, out)
    expect(await findGgmlProblem(out)).toBeUndefined()
  })
})

describe('findWhisperFolder', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['a Hugging Face folder', { 'config.json': '{"model_type":"whisper"}', 'model.safetensors': '' }, 'safetensors'],
    ['one in shards', { 'model.safetensors.index.json': '' }, 'safetensors'],
    [
      'one whose weights are in another format',
      { 'config.json': '{"model_type":"whisper"}', 'pytorch_model.bin': '' },
      'safetensors',
    ],
    ['a CTranslate2 folder', { 'model.bin': '', 'vocabulary.json': '' }, 'ctranslate2'],
    ['an old CTranslate2 folder', { 'model.bin': '', 'vocabulary.txt': '' }, 'ctranslate2'],
    ['an ONNX folder', { 'encoder.onnx': '', 'tokens.txt': '', 'config.json': '{"model_type":"other"}' }, undefined],
    ['an empty folder', {}, undefined],
  ])('recognizes %s by its files', async (_, files, expected) => {
    const folder = await temporaryFolder()
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    expect(await findWhisperFolder(folder)).toBe(expected)
  })

  test('finds nothing in a folder that does not exist', async () => {
    expect(await findWhisperFolder(join(await temporaryFolder(), 'none'))).toBeUndefined()
  })
})
