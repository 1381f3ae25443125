/** The sizes of a Whisper model, in the order of a ggml file's header. */
export interface WhisperSizes {
  vocabulary: number
  audioContext: number
  audioState: number
  audioHeads: number
  audioLayers: number
  textContext: number
  textState: number
  textHeads: number
  textLayers: number
  melBands: number
}

/** A tensor of a ggml file. */
export interface GgmlTensor {
  name: string
  /** Outermost dimension first, as in PyTorch; the file itself lists them innermost first. */
  shape: number[]
  type: 'f16' | 'f32'
}

/**
 * Returns every tensor that whisper.cpp expects in a model, as its conversion scripts write them: matrices and convolutions as half
 * floats, vectors and positions as floats.
 */
export function listWhisperTensors(sizes: WhisperSizes): GgmlTensor[] {
  const { audioContext, audioState, melBands, textContext, textState, vocabulary } = sizes
  return [
    floats('encoder.positional_embedding', audioContext, audioState),
    halves('encoder.conv1.weight', audioState, melBands, 3),
    floats('encoder.conv1.bias', audioState, 1),
    halves('encoder.conv2.weight', audioState, audioState, 3),
    floats('encoder.conv2.bias', audioState, 1),
    ...norm('encoder.ln_post', audioState),
    floats('decoder.positional_embedding', textContext, textState),
    halves('decoder.token_embedding.weight', vocabulary, textState),
    ...norm('decoder.ln', textState),
    ...layers('encoder', sizes.audioLayers, (block) => [
      ...attention(block, 'attn', audioState),
      ...feedForward(block, audioState),
    ]),
    ...layers('decoder', sizes.textLayers, (block) => [
      ...attention(block, 'attn', textState),
      ...attention(block, 'cross_attn', textState),
      ...feedForward(block, textState),
    ]),
  ]
}

function layers(side: string, count: number, list: (block: string) => GgmlTensor[]): GgmlTensor[] {
  return Array.from({ length: count }, (_, layer) => list(`${side}.blocks.${layer}`)).flat()
}

function attention(block: string, name: string, state: number): GgmlTensor[] {
  return [
    ...norm(`${block}.${name}_ln`, state),
    ...linear(`${block}.${name}.query`, state, state),
    halves(`${block}.${name}.key.weight`, state, state),
    ...linear(`${block}.${name}.value`, state, state),
    ...linear(`${block}.${name}.out`, state, state),
  ]
}

function feedForward(block: string, state: number): GgmlTensor[] {
  return [
    ...norm(`${block}.mlp_ln`, state),
    ...linear(`${block}.mlp.0`, 4 * state, state),
    ...linear(`${block}.mlp.2`, state, 4 * state),
  ]
}

function norm(name: string, state: number): GgmlTensor[] {
  return [floats(`${name}.weight`, state), floats(`${name}.bias`, state)]
}

function linear(name: string, outputs: number, inputs: number): GgmlTensor[] {
  return [halves(`${name}.weight`, outputs, inputs), floats(`${name}.bias`, outputs)]
}

function floats(name: string, ...shape: number[]): GgmlTensor {
  return { name, shape, type: 'f32' }
}

function halves(name: string, ...shape: number[]): GgmlTensor {
  return { name, shape, type: 'f16' }
}
