import { open, readFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

/** The sizes of Whisper tiny. */
const size = { state: 384, heads: 6, layers: 4, audioContext: 1500, textContext: 448, melBands: 80, vocabulary: 51_865 }
const headerBytes = 12 * 4
const endOfText = 50_257
const f32 = 0
const f16 = 1

type Fill = 'random' | 'zeros' | 'ones'

/**
 * Writes a Whisper model of the size of tiny with random weights, so that a call costs what a real one costs; mel filters and vocabulary
 * are those of `vocabularyFrom`, a ggml Whisper file. It writes nothing but words: the last component of every state is a constant
 * that the rows of all special tokens point away from, so a call runs one encoder pass and as many tokens as it is allowed.
 */
export async function writeRandomWhisper(path: string, vocabularyFrom: string): Promise<void> {
  await using file = await open(path, 'w')
  await file.write(header())
  await file.write(await melAndVocabulary(vocabularyFrom))
  await writeEncoder(file)
  await writeDecoder(file)
}

function header(): Buffer {
  const { state, heads, layers, audioContext, textContext, melBands, vocabulary } = size
  const magic = 0x67676d6c
  const fields = [
    magic,
    vocabulary,
    audioContext,
    state,
    heads,
    layers,
    textContext,
    state,
    heads,
    layers,
    melBands,
    f16,
  ]
  return Buffer.from(Int32Array.from(fields).buffer)
}

async function melAndVocabulary(path: string): Promise<Buffer> {
  const source = await readFile(path)
  const end = vocabularyEnd(
    source,
    headerBytes + 8 + source.readInt32LE(headerBytes) * source.readInt32LE(headerBytes + 4) * 4,
  )
  return source.subarray(headerBytes, end)
}

function vocabularyEnd(source: Buffer, start: number): number {
  let at = start + 4
  for (let word = 0; word < source.readInt32LE(start); word++) at += 4 + source.readInt32LE(at)
  return at
}

async function writeEncoder(file: FileHandle): Promise<void> {
  const { state, layers, audioContext, melBands } = size
  await writeFloats(file, 'encoder.positional_embedding', [state, audioContext], 'zeros')
  await writeHalves(file, 'encoder.conv1.weight', [3, melBands, state])
  await writeFloats(file, 'encoder.conv1.bias', [1, state], 'zeros')
  await writeHalves(file, 'encoder.conv2.weight', [3, state, state])
  await writeFloats(file, 'encoder.conv2.bias', [1, state], 'zeros')
  await writeNorm(file, 'encoder.ln_post')
  for (let layer = 0; layer < layers; layer++) {
    const block = `encoder.blocks.${layer}`
    await writeAttention(file, block, 'attn')
    await writePerceptron(file, block)
  }
}

async function writeDecoder(file: FileHandle): Promise<void> {
  const { state, layers, textContext, vocabulary } = size
  await writeFloats(file, 'decoder.positional_embedding', [state, textContext], 'zeros')
  const rows = randomHalves(state * vocabulary)
  // 0 for words and -10 for all special tokens, times the 10 of the bias below: their logits are 100 lower.
  for (let token = 0; token < vocabulary; token++) rows[token * state] = token < endOfText ? 0 : 0xc900
  await writeTensor(file, 'decoder.token_embedding.weight', { dims: [state, vocabulary], type: f16, data: rows })
  await writeFloats(file, 'decoder.ln.weight', [state], 'ones')
  const bias = new Float32Array(state)
  bias[0] = 10
  await writeTensor(file, 'decoder.ln.bias', { dims: [state], type: f32, data: bias })
  for (let layer = 0; layer < layers; layer++) {
    const block = `decoder.blocks.${layer}`
    await writeAttention(file, block, 'attn')
    await writeAttention(file, block, 'cross_attn')
    await writePerceptron(file, block)
  }
}

async function writeAttention(file: FileHandle, block: string, name: 'attn' | 'cross_attn'): Promise<void> {
  const { state } = size
  await writeNorm(file, `${block}.${name}_ln`)
  for (const part of ['query', 'key', 'value', 'out']) {
    await writeHalves(file, `${block}.${name}.${part}.weight`, [state, state])
    if (part !== 'key') await writeFloats(file, `${block}.${name}.${part}.bias`, [state], 'zeros')
  }
}

async function writePerceptron(file: FileHandle, block: string): Promise<void> {
  const { state } = size
  await writeNorm(file, `${block}.mlp_ln`)
  await writeHalves(file, `${block}.mlp.0.weight`, [state, 4 * state])
  await writeFloats(file, `${block}.mlp.0.bias`, [4 * state], 'zeros')
  await writeHalves(file, `${block}.mlp.2.weight`, [4 * state, state])
  await writeFloats(file, `${block}.mlp.2.bias`, [state], 'zeros')
}

async function writeNorm(file: FileHandle, name: string): Promise<void> {
  await writeFloats(file, `${name}.weight`, [size.state], 'ones')
  await writeFloats(file, `${name}.bias`, [size.state], 'zeros')
}

function writeFloats(file: FileHandle, name: string, dims: number[], fill: Exclude<Fill, 'random'>): Promise<void> {
  return writeTensor(file, name, { dims, type: f32, data: new Float32Array(count(dims)).fill(fill === 'ones' ? 1 : 0) })
}

function writeHalves(file: FileHandle, name: string, dims: number[]): Promise<void> {
  return writeTensor(file, name, { dims, type: f16, data: randomHalves(count(dims)) })
}

interface Tensor {
  dims: number[]
  type: number
  data: Float32Array | Uint16Array
}

async function writeTensor(file: FileHandle, name: string, { dims, type, data }: Tensor): Promise<void> {
  await file.write(Buffer.from(Int32Array.from([dims.length, name.length, type, ...dims]).buffer))
  await file.write(name)
  await file.write(Buffer.from(data.buffer, data.byteOffset, data.byteLength))
}

function count(dims: number[]): number {
  return dims.reduce((product, length) => product * length, 1)
}

let seed = 1

/** Half floats of either sign with magnitudes from 1/32 to 1/16, the same in every run. */
function randomHalves(length: number): Uint16Array {
  const halves = new Uint16Array(length)
  for (let at = 0; at < length; at++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    halves[at] = ((seed >>> 16) & 0x8000) | 0x2800 | ((seed >>> 8) & 0x3ff)
  }
  return halves
}
