import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readGgmlContents, toFloats } from './ggml-contents.ts'
import { realModelsDir, whisperCt2Dir } from './real-data.ts'
import { createConfig, encodeSafetensors, writeJson } from './whisper-folder.ts'

/** Writes Whisper base as a Hugging Face folder, from the half-float weights of ggml-base.bin and the vocabulary of CTranslate2. */
export async function writeRealHuggingFaceFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { header, tensors } = await readGgmlContents(join(realModelsDir, 'ggml-base.bin'))
  const [, vocabulary = 0, audioContext = 0, state = 0, heads = 0, audioLayers = 0, textContext = 0] = header
  const [textLayers = 0, melBands = 0] = header.slice(9)
  const sizes = { state, heads, audioContext, textContext }
  await writeJson(join(folder, 'config.json'), createConfig({ vocabulary, melBands, audioLayers, textLayers }, sizes))
  const tokens = z.array(z.string()).parse(JSON.parse(await readFile(join(whisperCt2Dir, 'vocabulary.json'), 'utf8')))
  const numbers = tokens.map((token, number): [string, number] => [token, number])
  const wordsEnd = tokens.indexOf('<|endoftext|>') + 1
  await writeJson(join(folder, 'vocab.json'), Object.fromEntries(numbers.slice(0, wordsEnd)))
  await writeJson(join(folder, 'added_tokens.json'), Object.fromEntries(numbers.slice(wordsEnd)))
  const weights = [...tensors].map(([name, { type, dims, data }]) => {
    // The biases of convolutions are columns in ggml files.
    const shape = dims.toReversed().filter((size, index) => index === 0 || size !== 1)
    return [nameOf(name), { shape, values: toFloats(data, type) }] as const
  })
  await writeFile(join(folder, 'model.safetensors'), encodeSafetensors(new Map(weights), 'F16'))
}

/** Returns the transformers name of a tensor of a ggml file: the inverse of whisper.cpp's models/convert-h5-to-ggml.py. */
function nameOf(ggmlName: string): string {
  const [, side = '', rest = ''] = /^(encoder|decoder)\.(.*)$/.exec(ggmlName) ?? []
  const [, layer, part = '', leaf] = /^blocks\.(\d+)\.(.*)\.(weight|bias)$/.exec(rest) ?? []
  if (layer !== undefined) return `model.${side}.layers.${layer}.${layerParts[part]}.${leaf}`
  return `model.${side}.${outerParts[rest] ?? rest}`
}

const layerParts: Record<string, string> = {
  attn_ln: 'self_attn_layer_norm',
  'attn.query': 'self_attn.q_proj',
  'attn.key': 'self_attn.k_proj',
  'attn.value': 'self_attn.v_proj',
  'attn.out': 'self_attn.out_proj',
  cross_attn_ln: 'encoder_attn_layer_norm',
  'cross_attn.query': 'encoder_attn.q_proj',
  'cross_attn.key': 'encoder_attn.k_proj',
  'cross_attn.value': 'encoder_attn.v_proj',
  'cross_attn.out': 'encoder_attn.out_proj',
  mlp_ln: 'final_layer_norm',
  'mlp.0': 'fc1',
  'mlp.2': 'fc2',
}

const outerParts: Record<string, string> = {
  positional_embedding: 'embed_positions.weight',
  'token_embedding.weight': 'embed_tokens.weight',
  'ln_post.weight': 'layer_norm.weight',
  'ln_post.bias': 'layer_norm.bias',
  'ln.weight': 'layer_norm.weight',
  'ln.bias': 'layer_norm.bias',
}
