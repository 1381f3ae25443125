import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seededRandom } from './audio.ts'

/** A Whisper model with random weights. Only the vocabulary has its real size, because it determines a model's tokens. */
export interface SmallWhisper {
  vocabulary: number
  melBands: number
  audioLayers: number
  textLayers: number
}

export const smallSizes = { state: 64, heads: 1, audioContext: 1500, textContext: 448 }
export const multilingual: SmallWhisper = { vocabulary: 51_865, melBands: 80, audioLayers: 1, textLayers: 1 }

export interface Tensor {
  shape: number[]
  values: Float32Array
}

/** Returns random weights by their transformers names. */
export function createWeights(whisper: SmallWhisper): Map<string, Tensor> {
  const random = seededRandom(7)
  const { state } = smallSizes
  const weights = new Map<string, Tensor>()
  function add(name: string, ...shape: number[]) {
    const values = new Float32Array(shape.reduce((product, size) => product * size, 1)).map(() => random() - 0.5)
    weights.set(name, { shape, values })
  }
  function addPair(name: string, ...shape: number[]) {
    add(`${name}.weight`, ...shape)
    add(`${name}.bias`, shape[0] ?? 0)
  }
  function addAttention(layer: string, name: string) {
    for (const part of ['q_proj', 'v_proj', 'out_proj']) addPair(`${layer}.${name}.${part}`, state, state)
    add(`${layer}.${name}.k_proj.weight`, state, state)
    addPair(`${layer}.${name}_layer_norm`, state)
  }
  function addLayer(layer: string) {
    addAttention(layer, 'self_attn')
    if (layer.startsWith('model.decoder')) addAttention(layer, 'encoder_attn')
    addPair(`${layer}.fc1`, 4 * state, state)
    addPair(`${layer}.fc2`, state, 4 * state)
    addPair(`${layer}.final_layer_norm`, state)
  }
  addPair('model.encoder.conv1', state, whisper.melBands, 3)
  addPair('model.encoder.conv2', state, state, 3)
  add('model.encoder.embed_positions.weight', smallSizes.audioContext, state)
  add('model.decoder.embed_positions.weight', smallSizes.textContext, state)
  add('model.decoder.embed_tokens.weight', whisper.vocabulary, state)
  addPair('model.encoder.layer_norm', state)
  addPair('model.decoder.layer_norm', state)
  for (let layer = 0; layer < whisper.audioLayers; layer += 1) addLayer(`model.encoder.layers.${layer}`)
  for (let layer = 0; layer < whisper.textLayers; layer += 1) addLayer(`model.decoder.layers.${layer}`)
  return weights
}

/** Returns the words of a vocabulary by id, in GPT-2's byte alphabet, and the special tokens that follow them. */
export function createVocabulary(whisper: SmallWhisper): { words: string[]; specials: string[] } {
  const isMultilingual = whisper.vocabulary >= 51_865
  const wordCount = isMultilingual ? 50_257 : 50_256
  const words = Array.from({ length: wordCount }, (_, number) => `Ġ${number.toString(36)}ĊÙħ`)
  words[0] = '!'
  words[220] = 'Ġ'
  if (isMultilingual) words[wordCount - 1] = ''
  const specials = ['<|endoftext|>', '<|startoftranscript|>', ...Array.from({ length: 20 }, (_, n) => `<|${n}|>`)]
  return { words, specials }
}

export type SafetensorsFormat = 'F32' | 'F16' | 'BF16'

/** Returns a file in the safetensors format: the length of the JSON header, the header, and the numbers. */
export function encodeSafetensors(weights: Map<string, Tensor>, format: SafetensorsFormat = 'F32'): Buffer {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } }
  const parts: Buffer[] = []
  let at = 0
  for (const [name, { shape, values }] of weights) {
    const bytes = encodeNumbers(values, format)
    header[name] = { dtype: format, shape, data_offsets: [at, at + bytes.length] }
    parts.push(bytes)
    at += bytes.length
  }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, ...parts])
}

function encodeNumbers(values: Float32Array, format: SafetensorsFormat): Buffer {
  if (format === 'F16') return Buffer.from(new Float16Array(values).buffer)
  const bits = new Uint32Array(new Float32Array(values).buffer)
  return Buffer.from(format === 'F32' ? bits.buffer : Uint16Array.from(bits, (word) => word >>> 16).buffer)
}

export function createConfig(whisper: SmallWhisper, sizes = smallSizes): Record<string, unknown> {
  return {
    architectures: ['WhisperForConditionalGeneration'],
    model_type: 'whisper',
    vocab_size: whisper.vocabulary,
    num_mel_bins: whisper.melBands,
    d_model: sizes.state,
    encoder_layers: whisper.audioLayers,
    encoder_attention_heads: sizes.heads,
    decoder_layers: whisper.textLayers,
    decoder_attention_heads: sizes.heads,
    max_source_positions: sizes.audioContext,
    max_target_positions: sizes.textContext,
  }
}

/** Writes what `save_pretrained` writes: config.json, model.safetensors, vocab.json and added_tokens.json. */
export async function writeHuggingFaceFolder(
  folder: string,
  whisper: SmallWhisper,
  { weights = createWeights(whisper), format }: { weights?: Map<string, Tensor>; format?: SafetensorsFormat } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { words, specials } = createVocabulary(whisper)
  const numbers = (tokens: string[], first: number) =>
    Object.fromEntries(tokens.map((token, index) => [token, first + index]))
  await writeJson(join(folder, 'config.json'), createConfig(whisper))
  await writeJson(join(folder, 'vocab.json'), numbers([...words, '<|endoftext|>'], 0))
  await writeJson(join(folder, 'added_tokens.json'), numbers(specials.slice(1), words.length + 1))
  await writeFile(join(folder, 'model.safetensors'), encodeSafetensors(weights, format))
}

/** Returns model.safetensors as two shards and an index. */
export function encodeShards(weights: Map<string, Tensor>): Record<string, Buffer> {
  const names = [...weights.keys()]
  const shards = [names.slice(0, 7), names.slice(7)].map((part, index) => ({
    file: `model-0000${index + 1}-of-00002.safetensors`,
    weights: new Map([...weights].filter(([name]) => part.includes(name))),
  }))
  const index = {
    metadata: {},
    weight_map: Object.fromEntries(
      shards.flatMap((shard) => [...shard.weights.keys()].map((name) => [name, shard.file])),
    ),
  }
  return {
    'model.safetensors.index.json': Buffer.from(JSON.stringify(index)),
    ...Object.fromEntries(shards.map((shard) => [shard.file, encodeSafetensors(shard.weights)])),
  }
}

export async function writeJson(path: string, content: unknown): Promise<void> {
  await writeFile(path, JSON.stringify(content))
}
