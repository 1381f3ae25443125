import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createVocabulary, createWeights, smallSizes, writeJson } from './whisper-folder.ts'
import type { SmallWhisper, Tensor } from './whisper-folder.ts'

/** How ct2-transformers-converter stores matrices (`--quantization`). */
export type Quantization = 'float32' | 'float16' | 'bfloat16' | 'int8' | 'int16'

/** The ids of data types in CTranslate2. */
const types = { float32: 0, int8: 1, int16: 2, float16: 4, bfloat16: 5 }

/** Writes the same files as ct2-transformers-converter: model.bin, vocabulary.json and config.json. */
export async function writeCTranslate2Folder(
  folder: string,
  whisper: SmallWhisper,
  {
    weights = createWeights(whisper),
    quantization = 'float16',
  }: { weights?: Map<string, Tensor>; quantization?: Quantization } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { words, specials } = createVocabulary(whisper)
  await writeJson(join(folder, 'config.json'), { alignment_heads: [[0, 0]], lang_ids: [50_259], suppress_ids: [] })
  await writeJson(join(folder, 'vocabulary.json'), [...words, ...specials])
  await writeFile(join(folder, 'model.bin'), encodeCTranslate2(fuse(weights), quantization))
}

/** Fuses query, key (which has no bias) and value of each self-attention into one matrix, and key and value of each cross-attention. */
function fuse(weights: Map<string, Tensor>): Map<string, Tensor> {
  const fused = new Map<string, Tensor>()
  for (const [name, tensor] of weights) {
    if (/\.(k_proj|v_proj)\./.test(name)) continue
    const sibling = (part: string) => weights.get(name.replace('q_proj', part)) ?? zeros(smallSizes.state)
    if (name.includes('self_attn.q_proj')) {
      fused.set(rename(name), stack([tensor, sibling('k_proj'), sibling('v_proj')]))
    } else {
      fused.set(rename(name), tensor)
      if (name.includes('encoder_attn.q_proj')) {
        fused.set(rename(name).replace('linear_0', 'linear_1'), stack([sibling('k_proj'), sibling('v_proj')]))
      }
    }
  }
  return fused
}

function zeros(count: number): Tensor {
  return { shape: [count], values: new Float32Array(count) }
}

function stack(tensors: Tensor[]): Tensor {
  const [, ...inner] = tensors[0]?.shape ?? []
  const rows = tensors.reduce((sum, { shape }) => sum + (shape[0] ?? 0), 0)
  const values = new Float32Array(tensors.flatMap((tensor) => [...tensor.values]))
  return { shape: [rows, ...inner], values }
}

function rename(name: string): string {
  return name
    .replace('model.', '')
    .replace('embed_positions.weight', 'position_encodings/encodings')
    .replace('embed_tokens', 'embeddings')
    .replace('layers.', 'layer_')
    .replace('self_attn_layer_norm', 'self_attention/layer_norm')
    .replace('encoder_attn_layer_norm', 'attention/layer_norm')
    .replace('final_layer_norm', 'ffn/layer_norm')
    .replace('self_attn.q_proj', 'self_attention/linear_0')
    .replace('self_attn.out_proj', 'self_attention/linear_1')
    .replace('encoder_attn.q_proj', 'attention/linear_0')
    .replace('encoder_attn.out_proj', 'attention/linear_2')
    .replace('fc1', 'ffn/linear_0')
    .replace('fc2', 'ffn/linear_1')
    .replace(/(layer_norm)\.weight/, '$1.gamma')
    .replace(/(layer_norm)\.bias/, '$1.beta')
    .replaceAll('.', '/')
}

/** Returns a model.bin of binary version 6. */
function encodeCTranslate2(weights: Map<string, Tensor>, quantization: Quantization): Buffer {
  const heads = Buffer.from(Int16Array.of(smallSizes.heads).buffer)
  const variables = [
    ...[...weights].flatMap(([name, tensor]) => encodeTensor(name, tensor, quantization)),
    encodeVariable('encoder/num_heads', [], types.int16, heads),
    encodeVariable('decoder/num_heads', [], types.int16, heads),
  ]
  return Buffer.concat([
    uint32(6),
    text('WhisperSpec'),
    uint32(3),
    uint32(variables.length),
    ...variables,
    uint32(1),
    text('decoder/projection/weight'),
    text('decoder/embeddings/weight'),
  ])
}

/** Encodes matrices as integers with one scale per row (8 bits) or one for all (16 bits); other tensors stay floats. */
function encodeTensor(name: string, { shape, values }: Tensor, quantization: Quantization): Buffer[] {
  const rounded =
    quantization.startsWith('int') && (shape.length < 2 || name.includes('encodings')) ? 'float32' : quantization
  if (rounded === 'float32')
    return [encodeVariable(name, shape, types.float32, Buffer.from(new Float32Array(values).buffer))]
  if (rounded === 'float16')
    return [encodeVariable(name, shape, types.float16, Buffer.from(new Float16Array(values).buffer))]
  if (rounded === 'bfloat16') {
    const bits = new Uint32Array(new Float32Array(values).buffer)
    return [
      encodeVariable(name, shape, types.bfloat16, Buffer.from(Uint16Array.from(bits, (word) => word >>> 16).buffer)),
    ]
  }
  const rows = rounded === 'int8' ? (shape[0] ?? 1) : 1
  const maxInteger = rounded === 'int8' ? 127 : 1023
  const rowSize = values.length / rows
  const scales = Float32Array.from({ length: rows }, (_, row) => {
    const largest = values
      .subarray(row * rowSize, (row + 1) * rowSize)
      .reduce((max, value) => Math.max(max, Math.abs(value)), 0)
    return maxInteger / largest
  })
  const integers = values.map((value, index) => Math.round(value * (scales[Math.floor(index / rowSize)] ?? 1)))
  const bytes =
    rounded === 'int8' ? Buffer.from(new Int8Array(integers).buffer) : Buffer.from(new Int16Array(integers).buffer)
  return [
    encodeVariable(name, shape, types[rounded], bytes),
    encodeVariable(`${name}_scale`, rounded === 'int8' ? [rows] : [], types.float32, Buffer.from(scales.buffer)),
  ]
}

function encodeVariable(name: string, shape: number[], type: number, bytes: Buffer): Buffer {
  return Buffer.concat([
    text(name),
    Buffer.of(shape.length),
    ...shape.map(uint32),
    Buffer.of(type),
    uint32(bytes.length),
    bytes,
  ])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(`${value}\0`)
  return Buffer.concat([Buffer.from(Uint16Array.of(bytes.length).buffer), bytes])
}

function uint32(value: number): Buffer {
  return Buffer.from(Uint32Array.of(value).buffer)
}
