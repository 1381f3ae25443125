import { smallSizes } from '#testing/whisper-folder.ts'
import type { Tensor } from '#testing/whisper-folder.ts'

type Rows = number[][]
type Weights = Map<string, Tensor>

const { state } = smallSizes
const melBands = 80

interface ReferenceInput {
  /** The weights of a model with one attention head, by their names in transformers. */
  weights: Weights
  layers: number
  /** [bands, frames] */
  spectrogram: Float32Array
  tokens: number[]
}

/** Computes a Whisper model's logits for the next token with plain loops (Radford et al., arXiv 2212.04356; openai-whisper, model.py). */
export function referenceLogits({ weights, layers, spectrogram, tokens }: ReferenceInput): Float32Array {
  const audio = encode(weights, layers, spectrogram)
  let text = tokens.map((token, at) =>
    add(rowOf(weights, 'decoder.embed_tokens', token), rowOf(weights, 'decoder.embed_positions', at)),
  )
  for (let index = 0; index < layers; index += 1) {
    const layer = `decoder.layers.${index}`
    const normal = norm(weights, text, `${layer}.self_attn_layer_norm`)
    text = addRows(text, attend(weights, normal, normal, { name: `${layer}.self_attn`, isCausal: true }))
    const query = norm(weights, text, `${layer}.encoder_attn_layer_norm`)
    text = addRows(text, attend(weights, query, audio, { name: `${layer}.encoder_attn`, isCausal: false }))
    text = addRows(text, feedForward(weights, text, layer))
  }
  const [last = []] = norm(weights, text.slice(-1), 'decoder.layer_norm')
  const vocabulary = tensorOf(weights, 'decoder.embed_tokens.weight').shape[0] ?? 0
  return Float32Array.from({ length: vocabulary }, (_, token) =>
    dot(last, rowOf(weights, 'decoder.embed_tokens', token)),
  )
}

function encode(weights: Weights, layers: number, spectrogram: Float32Array): Rows {
  const frames = spectrogram.length / melBands
  const mel = Array.from({ length: frames }, (_, frame) =>
    Array.from({ length: melBands }, (__, band) => spectrogram[band * frames + frame] ?? 0),
  )
  const convolved = convolve(weights, convolve(weights, mel, 'encoder.conv1', 1), 'encoder.conv2', 2)
  let audio = convolved.map((row, at) => add(row, rowOf(weights, 'encoder.embed_positions', at)))
  for (let index = 0; index < layers; index += 1) {
    const layer = `encoder.layers.${index}`
    const normal = norm(weights, audio, `${layer}.self_attn_layer_norm`)
    audio = addRows(audio, attend(weights, normal, normal, { name: `${layer}.self_attn`, isCausal: false }))
    audio = addRows(audio, feedForward(weights, audio, layer))
  }
  return norm(weights, audio, 'encoder.layer_norm')
}

/** Returns a tensor; zeros if there is none, because key projections have no bias. */
function tensorOf(weights: Weights, name: string): Tensor {
  return weights.get(`model.${name}`) ?? { shape: [state], values: new Float32Array(state) }
}

function rowOf(weights: Weights, name: string, row: number): number[] {
  return [...tensorOf(weights, `${name}.weight`).values.subarray(row * state, (row + 1) * state)]
}

function linear(weights: Weights, rows: Rows, name: string): Rows {
  const { shape, values } = tensorOf(weights, `${name}.weight`)
  const bias = tensorOf(weights, `${name}.bias`).values
  const [outputs = 0, inputs = 0] = shape
  return rows.map((row) =>
    Array.from({ length: outputs }, (_, output) =>
      row.reduce((sum, value, at) => sum + value * (values[output * inputs + at] ?? 0), bias[output] ?? 0),
    ),
  )
}

function norm(weights: Weights, rows: Rows, name: string): Rows {
  const [gain, bias] = ['weight', 'bias'].map((part) => tensorOf(weights, `${name}.${part}`).values)
  return rows.map((row) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length
    return row.map((value, at) => ((value - mean) / Math.sqrt(variance + 1e-5)) * (gain?.[at] ?? 1) + (bias?.[at] ?? 0))
  })
}

function attend(
  weights: Weights,
  rows: Rows,
  others: Rows,
  { name, isCausal }: { name: string; isCausal: boolean },
): Rows {
  const queries = linear(weights, rows, `${name}.q_proj`)
  const keys = linear(weights, others, `${name}.k_proj`)
  const values = linear(weights, others, `${name}.v_proj`)
  const read = queries.map((query, at) => {
    const visible = isCausal ? keys.slice(0, at + 1) : keys
    const scores = visible.map((key) => Math.exp(dot(query, key) / Math.sqrt(state)))
    const total = scores.reduce((sum, score) => sum + score, 0)
    return query.map((_, column) =>
      scores.reduce((sum, score, row) => sum + (score / total) * (values[row]?.[column] ?? 0), 0),
    )
  })
  return linear(weights, read, `${name}.out_proj`)
}

function feedForward(weights: Weights, rows: Rows, layer: string): Rows {
  const hidden = linear(weights, norm(weights, rows, `${layer}.final_layer_norm`), `${layer}.fc1`)
  const active = hidden.map((row) => row.map(gelu))
  return linear(weights, active, `${layer}.fc2`)
}

function convolve(weights: Weights, rows: Rows, name: string, stride: number): Rows {
  const { shape, values } = tensorOf(weights, `${name}.weight`)
  const bias = tensorOf(weights, `${name}.bias`).values
  const [outputs = 0, inputs = 0] = shape
  return Array.from({ length: rows.length / stride }, (_, at) =>
    Array.from({ length: outputs }, (__, output) => {
      const taps = [0, 1, 2].map((tap) =>
        (rows[at * stride + tap - 1] ?? []).reduce(
          (sum, value, input) => sum + value * (values[(output * inputs + input) * 3 + tap] ?? 0),
          0,
        ),
      )
      return gelu(taps.reduce((sum, value) => sum + value, bias[output] ?? 0))
    }),
  )
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}

function add(a: number[], b: number[]): number[] {
  return a.map((value, at) => value + (b[at] ?? 0))
}

function addRows(a: Rows, b: Rows): Rows {
  return a.map((row, at) => add(row, b[at] ?? []))
}

/** Multiplies a number by the normal distribution's cumulative probability at it, integrated with Simpson's rule from 0. */
function gelu(x: number): number {
  const steps = 200
  const width = x / steps
  let sum = 0
  for (let step = 0; step <= steps; step += 1) {
    const weight = step === 0 || step === steps ? 1 : 2 + 2 * (step % 2)
    sum += weight * Math.exp(-((step * width) ** 2) / 2)
  }
  return x * (0.5 + (sum * width) / 3 / Math.sqrt(2 * Math.PI))
}
