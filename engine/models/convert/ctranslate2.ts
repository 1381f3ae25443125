import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { readAlignmentHeads } from './alignment-heads.ts'
import { readCTranslate2 } from './ctranslate2-file.ts'
import { damagedFile, notConvertible } from './conversion-error.ts'
import { countElements, readNumbers, requireShape, takeRows } from './stored-tensor.ts'
import type { TensorValues, StoredTensor } from './stored-tensor.ts'
import { readWords } from './vocabulary.ts'
import type { WhisperSource } from './whisper-source.ts'
import { listWhisperTensors } from './whisper-tensors.ts'
import type { WhisperSizes } from './whisper-tensors.ts'

/** A CTranslate2 variable, or one of several equal parts of it: query, key and value share one matrix. */
interface Place {
  variable: string
  part?: number
  parts?: number
}

/**
 * Opens a Whisper that ct2-transformers-converter wrote (faster-whisper): model.bin, and vocabulary.json or tokenizer.json. The
 * weights may be floats, half floats or integers with scales.
 *
 * @throws AppError `model_unavailable` if the folder has no complete Whisper
 */
export async function openCTranslate2Whisper(folder: string): Promise<WhisperSource> {
  const path = join(folder, 'model.bin')
  const variables = await readCTranslate2(path)
  const sizes = await readSizes(variables, path)
  const tensors = new Map<string, StoredTensor>()
  for (const { name, shape } of listWhisperTensors(sizes)) {
    const { variable, part = 0, parts = 1 } = placeOf(name)
    const stored = requireVariable(variables, variable, path)
    const [rows = 0, ...inner] = shape
    requireShape(stored, [rows * parts, ...inner])
    tensors.set(name, takeRows(await withScales(stored, variables), part, parts))
  }
  const alignmentHeads = await readAlignmentHeads(join(folder, 'config.json'), sizes)
  return { sizes, tensors, words: await readWords(folder, sizes.vocabulary), alignmentHeads }
}

async function readSizes(variables: Map<string, StoredTensor>, path: string): Promise<WhisperSizes> {
  const shapeOf = (name: string) => requireVariable(variables, name, path).shape
  const [audioState = 0, melBands = 0] = shapeOf('encoder/conv1/weight')
  const [vocabulary = 0, textState = 0] = shapeOf('decoder/embeddings/weight')
  return {
    vocabulary,
    audioContext: shapeOf('encoder/position_encodings/encodings')[0] ?? 0,
    audioState,
    audioHeads: await readNumber(requireVariable(variables, 'encoder/num_heads', path)),
    audioLayers: countLayers(variables, 'encoder'),
    textContext: shapeOf('decoder/position_encodings/encodings')[0] ?? 0,
    textState,
    textHeads: await readNumber(requireVariable(variables, 'decoder/num_heads', path)),
    textLayers: countLayers(variables, 'decoder'),
    melBands,
  }
}

function requireVariable(variables: Map<string, StoredTensor>, name: string, path: string): StoredTensor {
  const variable = variables.get(name)
  if (variable) return variable
  throw damagedFile(path, `it has no variable ${name}`)
}

function countLayers(variables: Map<string, StoredTensor>, side: string): number {
  let count = 0
  while (variables.has(`${side}/layer_${count}/self_attention/linear_0/weight`)) count += 1
  return count
}

async function readNumber(tensor: StoredTensor): Promise<number> {
  const [value = 0] = await readAll(tensor)
  return value
}

async function readAll(tensor: StoredTensor): Promise<TensorValues> {
  await using file = await open(tensor.path)
  return readNumbers(file, tensor, 0, countElements(tensor.shape))
}

/** Quantized weights are multiplied by `<name>_scale`, one per row or one for all (CTranslate2, docs/quantization.md). */
async function withScales(tensor: StoredTensor, variables: Map<string, StoredTensor>): Promise<StoredTensor> {
  if (tensor.format !== 'i8' && tensor.format !== 'i16') return tensor
  const stored = variables.get(`${tensor.name}_scale`)
  const scales = stored && (await readAll(stored))
  if (scales && (scales.length === 1 || scales.length === tensor.shape[0])) return { ...tensor, scales }
  throw notConvertible(
    `The integers of ${tensor.name} in ${tensor.path} have no scales that fit.`,
    'Convert the model again with --quantization float16, or import its safetensors folder.',
  )
}

const outside: Record<string, string> = {
  'encoder.positional_embedding': 'encoder/position_encodings/encodings',
  'encoder.ln_post': 'encoder/layer_norm',
  'decoder.positional_embedding': 'decoder/position_encodings/encodings',
  'decoder.token_embedding': 'decoder/embeddings',
  'decoder.ln': 'decoder/layer_norm',
}

const inBlock: Record<string, Place> = {
  attn_ln: { variable: 'self_attention/layer_norm' },
  'attn.query': { variable: 'self_attention/linear_0', part: 0, parts: 3 },
  'attn.key': { variable: 'self_attention/linear_0', part: 1, parts: 3 },
  'attn.value': { variable: 'self_attention/linear_0', part: 2, parts: 3 },
  'attn.out': { variable: 'self_attention/linear_1' },
  cross_attn_ln: { variable: 'attention/layer_norm' },
  'cross_attn.query': { variable: 'attention/linear_0' },
  'cross_attn.key': { variable: 'attention/linear_1', part: 0, parts: 2 },
  'cross_attn.value': { variable: 'attention/linear_1', part: 1, parts: 2 },
  'cross_attn.out': { variable: 'attention/linear_2' },
  mlp_ln: { variable: 'ffn/layer_norm' },
  'mlp.0': { variable: 'ffn/linear_0' },
  'mlp.2': { variable: 'ffn/linear_1' },
}

function placeOf(ggmlName: string): Place {
  const whole = outside[ggmlName]
  if (whole) return { variable: whole }
  const [, stem = '', leaf = ''] = /^(.*)\.(weight|bias)$/.exec(ggmlName) ?? []
  const [, side, layer, name = ''] = /^(encoder|decoder)\.blocks\.(\d+)\.(.*)$/.exec(stem) ?? []
  const place = inBlock[name]
  if (place) return { ...place, variable: `${side}/layer_${layer}/${place.variable}/${leafOf(place.variable, leaf)}` }
  const variable = outside[stem] ?? stem.replace('.', '/')
  return { variable: `${variable}/${leafOf(variable, leaf)}` }
}

/** CTranslate2 uses different names for the weight and bias of a layer norm. */
function leafOf(variable: string, leaf: string): string {
  if (!variable.endsWith('layer_norm')) return leaf
  return leaf === 'weight' ? 'gamma' : 'beta'
}
