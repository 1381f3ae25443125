import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OnnxGraph } from '#engine/models/convert/onnx/onnx-graph.ts'
import type { ValueInfo } from '#engine/models/convert/onnx/onnx-graph.ts'
import { writeOnnx } from '#engine/models/convert/onnx/write-onnx.ts'

// Networks in the formats of the model families, for tests: they write a word for loud sound and nothing for silence.

/** The mean log energy of a frame is about -16 in silence and -1 in noise at half of full scale. */
const silence = -8

function floats(graph: OnnxGraph, dims: number[], values: number[]): string {
  return graph.weight({ type: 'float32', dims, read: () => [new Uint8Array(Float32Array.from(values).buffer)] })
}

interface Toy {
  inputs: ValueInfo[]
  outputs: ValueInfo[]
  metadata?: Record<string, string | number>
}

async function write(path: string, graph: OnnxGraph, { inputs, outputs, metadata = {} }: Toy): Promise<void> {
  const texts = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, String(value)]))
  await writeOnnx(path, { graph, inputs, outputs, name: 'toy', metadata: texts }, { onWeightBytes: () => undefined })
}

function float32(name: string, ...dims: (number | string)[]): ValueInfo {
  return { name, type: 'float32', dims }
}

const nemo = { vocab_size: 1, subsampling_factor: 1, normalize_type: '' }
const nemoInputs: ValueInfo[] = [float32('features', 1, 80, 'frames'), { name: 'length', type: 'int64', dims: [1] }]

/** Adds the loudness of each frame of [1, channels, frames]: [1, 1, frames], above 0 where there is sound. */
function addLoudness(graph: OnnxGraph, options: { name?: string } = {}): string {
  const mean = graph.add('ReduceMean', ['features'], { attributes: { axes: [1], keepdims: 1 } })
  return graph.add('Sub', [mean, floats(graph, [1], [silence])], options)
}

/** Writes a NeMo CTC model whose only token stands for a loud frame. */
export async function writeToyNemoCtc(folder: string): Promise<void> {
  const graph = new OnnxGraph()
  const frames = graph.add('Transpose', [addLoudness(graph)], { attributes: { perm: [0, 2, 1] } })
  graph.add('MatMul', [frames, floats(graph, [1, 2], [1, -1])], { name: 'logits' })
  const metadata = { model_type: 'EncDecCTCModelBPE', ...nemo }
  const outputs = [float32('logits', 1, 'frames', 2)]
  await write(join(folder, 'model.onnx'), graph, { inputs: nemoInputs, outputs, metadata })
  await writeFile(join(folder, 'tokens.txt'), '▁c 0\n<blk> 1\n')
}

/** Writes a Parakeet model (token-and-duration transducer) whose only token stands for a loud frame and lasts four frames. */
export async function writeToyTransducer(folder: string): Promise<void> {
  const encoder = new OnnxGraph()
  addLoudness(encoder, { name: 'encoded' })
  encoder.add('Identity', ['length'], { name: 'encoded_length' })
  const metadata = {
    model_type: 'EncDecRNNTBPEModel',
    ...nemo,
    pred_rnn_layers: 1,
    pred_hidden: 1,
    url: 'parakeet-tdt',
  }
  const encoded: ValueInfo[] = [
    float32('encoded', 1, 1, 'frames'),
    { name: 'encoded_length', type: 'int64', dims: [1] },
  ]
  await write(join(folder, 'encoder.onnx'), encoder, { inputs: nemoInputs, outputs: encoded, metadata })

  const decoder = new OnnxGraph()
  decoder.add('Identity', ['state'], { name: 'predicted' })
  decoder.add('Identity', ['target_length'], { name: 'predicted_length' })
  decoder.add('Identity', ['state'], { name: 'next_state' })
  decoder.add('Identity', ['cell'], { name: 'next_cell' })
  const inputs: ValueInfo[] = [
    { name: 'targets', type: 'int32', dims: [1, 1] },
    { name: 'target_length', type: 'int32', dims: [1] },
    float32('state', 1, 1, 1),
    float32('cell', 1, 1, 1),
  ]
  const outputs: ValueInfo[] = [
    float32('predicted', 1, 1, 1),
    { name: 'predicted_length', type: 'int32', dims: [1] },
    float32('next_state', 1, 1, 1),
    float32('next_cell', 1, 1, 1),
  ]
  await write(join(folder, 'decoder.onnx'), decoder, { inputs, outputs })

  const joiner = new OnnxGraph()
  const both = joiner.add('Add', ['encoded', 'predicted'])
  // The token and the blank, then durations of 0 to 4 frames.
  const scores = joiner.add('MatMul', [both, floats(joiner, [1, 7], [1, -1, 0, 0, 0, 0, 0])])
  joiner.add('Add', [scores, floats(joiner, [7], [0, 0, 0, 0, 0, 0, 1])], { name: 'logits' })
  await write(join(folder, 'joiner.onnx'), joiner, {
    inputs: [float32('encoded', 1, 1, 1), float32('predicted', 1, 1, 1)],
    outputs: [float32('logits', 1, 1, 7)],
  })
  await writeFile(join(folder, 'tokens.txt'), '▁c 0\n<blk> 1\n')
}

const prompt = ['startofcontext', 'startoftranscript', 'emo:undefined', 'pnc', 'nopnc', 'itn', 'noitn', 'notimestamp']
const languages = ['en', 'de', 'es', 'fr', 'ar']
const wordOf: Record<string, string> = { en: '▁english', ar: '▁عربي', fr: '▁français' }
const words = Object.values(wordOf)
/** The first token ends a text. */
const textTokens = [...['endoftext', ...prompt, ...languages, 'nodiarize'].map((name) => `<|${name}|>`), ...words]

/** Returns what each token adds to the scores of the next: a language token makes its word the next, and a word is followed by the end. */
function nextTokens(graph: OnnxGraph): { wordOfLanguage: string; end: string } {
  const size = textTokens.length
  const wordOfLanguage = textTokens.flatMap((token) => {
    const word = wordOf[token.slice(2, -2)]
    return textTokens.map((next) => Number(next === word))
  })
  const end = textTokens.flatMap((token) =>
    textTokens.map((_, next) => (next === 0 && words.includes(token) ? 1000 : 0)),
  )
  return { wordOfLanguage: floats(graph, [size, size], wordOfLanguage), end: floats(graph, [size, size], end) }
}

/** Writes a Canary model that outputs the name of the requested language if the sound is loud. */
export async function writeToyCanary(folder: string): Promise<void> {
  const encoder = new OnnxGraph()
  const mean = encoder.add('ReduceMean', ['features'], { attributes: { axes: [2], keepdims: 1 } })
  encoder.add('Sub', [mean, floats(encoder, [1], [silence])], { name: 'encoded' })
  encoder.add('Identity', ['length'], { name: 'encoded_length' })
  encoder.add('Identity', ['length'], { name: 'mask' })
  const length: ValueInfo = { name: 'length', type: 'int64', dims: [1] }
  const encoded = float32('encoded', 1, 'frames', 1)
  const mask: ValueInfo = { name: 'mask', type: 'int64', dims: [1] }
  const size = textTokens.length
  await write(join(folder, 'encoder.onnx'), encoder, {
    inputs: [float32('features', 1, 'frames', 80), length],
    outputs: [encoded, { ...length, name: 'encoded_length' }, mask],
    metadata: {
      ...nemo,
      model_type: 'EncDecMultiTaskModel',
      vocab_size: size,
      feat_dim: 80,
      num_decoder_layers: 1,
      decoder_hidden_size: size,
    },
  })

  const decoder = new OnnxGraph()
  const { wordOfLanguage, end } = nextTokens(decoder)
  const token = decoder.add('Gather', ['token_and_position', decoder.ints(0)], { attributes: { axis: 1 } })
  decoder.add('Concat', ['memory', decoder.add('Gather', [wordOfLanguage, token])], {
    attributes: { axis: 1 },
    name: 'next_memory',
  })
  const told = decoder.add('ReduceMax', ['next_memory'], { attributes: { axes: [1], keepdims: 1 } })
  const loudness = decoder.add('ReduceMax', ['encoded'], { attributes: { keepdims: 1 } })
  const scores = decoder.add('Add', [decoder.add('Mul', [told, loudness]), decoder.add('Gather', [end, token])])
  decoder.add('Identity', [scores], { name: 'logits' })
  decoder.add('Identity', ['mask'])
  await write(join(folder, 'decoder.onnx'), decoder, {
    inputs: [
      { name: 'token_and_position', type: 'int32', dims: [1, 2] },
      float32('memory', 1, 'tokens', size),
      encoded,
      mask,
    ],
    outputs: [float32('logits', 1, 1, size), float32('next_memory', 1, 'next', size)],
  })
  await writeTextTokens(folder)
}

/** Writes a Cohere Transcribe model that outputs the name of the requested language if the sound is loud. */
export async function writeToyCohere(folder: string): Promise<void> {
  const encoder = new OnnxGraph()
  const mean = encoder.add('ReduceMean', ['features'], { attributes: { axes: [1], keepdims: 1 } })
  encoder.add('Reshape', [mean, encoder.weight(minusOne)], { name: 'cross_keys' })
  encoder.add('Identity', ['cross_keys'], { name: 'cross_values' })
  const size = textTokens.length
  const cross = [float32('cross_keys', 1, 1, 'frames', 1), float32('cross_values', 1, 1, 'frames', 1)]
  await write(join(folder, 'encoder.onnx'), encoder, {
    inputs: [float32('features', 1, 128, 'frames')],
    outputs: cross,
    metadata: { model_type: 'cohere-transcribe-03-2026' },
  })

  const decoder = new OnnxGraph()
  const { wordOfLanguage, end } = nextTokens(decoder)
  const told = decoder.add('ReduceMax', [decoder.add('Gather', [wordOfLanguage, 'tokens'])], {
    attributes: { axes: [1], keepdims: 1 },
  })
  const loudness = decoder.add('ReduceMax', ['cross_keys'], { attributes: { keepdims: 0 } })
  const scores = decoder.add('Mul', [told, loudness])
  decoder.add('Add', [scores, decoder.add('Gather', [end, 'tokens'])], { name: 'logits' })
  decoder.add('Identity', ['keys'], { name: 'next_keys' })
  decoder.add('Identity', ['values'], { name: 'next_values' })
  const cache = (name: string) => float32(name, 1, 1, 1, 64, 1)
  await write(join(folder, 'decoder.onnx'), decoder, {
    inputs: [
      { name: 'tokens', type: 'int64', dims: [1, 'count'] },
      cache('keys'),
      cache('values'),
      ...cross,
      { name: 'offset', type: 'int64', dims: [] },
    ],
    outputs: [float32('logits', 1, 'count', size), cache('next_keys'), cache('next_values')],
  })
  await writeTextTokens(folder)
}

const minusOne = {
  type: 'int64' as const,
  dims: [4],
  read: () => [new Uint8Array(BigInt64Array.from([1n, 1n, -1n, 1n]).buffer)],
}

async function writeTextTokens(folder: string): Promise<void> {
  await writeFile(join(folder, 'tokens.txt'), textTokens.map((token, index) => `${token} ${index}\n`).join(''))
}
