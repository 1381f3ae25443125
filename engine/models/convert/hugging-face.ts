import { join } from 'node:path'
import { z } from 'zod'
import { readAlignmentHeads } from './alignment-heads.ts'
import { damagedFile, notConvertible } from './conversion-error.ts'
import { readJson } from './json-file.ts'
import { readSafetensorsFolder } from './safetensors.ts'
import { requireShape } from './stored-tensor.ts'
import type { StoredTensor } from './stored-tensor.ts'
import { readWords } from './vocabulary.ts'
import { requireWhisperSizes } from './whisper-source.ts'
import type { WhisperSource } from './whisper-source.ts'
import { listWhisperTensors } from './whisper-tensors.ts'
import type { WhisperSizes } from './whisper-tensors.ts'

/** Fields of config.json, as transformers' WhisperConfig names them. */
const Config = z
  .object({
    vocab_size: z.int().positive(),
    max_source_positions: z.int().positive(),
    d_model: z.int().positive(),
    encoder_attention_heads: z.int().positive(),
    encoder_layers: z.int().positive(),
    max_target_positions: z.int().positive(),
    decoder_attention_heads: z.int().positive(),
    decoder_layers: z.int().positive(),
    num_mel_bins: z.int().positive(),
  })
  .transform((config): WhisperSizes => ({
    vocabulary: config.vocab_size,
    audioContext: config.max_source_positions,
    audioState: config.d_model,
    audioHeads: config.encoder_attention_heads,
    audioLayers: config.encoder_layers,
    textContext: config.max_target_positions,
    textState: config.d_model,
    textHeads: config.decoder_attention_heads,
    textLayers: config.decoder_layers,
    melBands: config.num_mel_bins,
  }))

/**
 * Opens a Whisper that transformers saved: config.json, model.safetensors (or shards), vocab.json or tokenizer.json.
 *
 * @throws AppError `model_unavailable` where the folder has no complete Whisper
 */
export async function openHuggingFaceWhisper(folder: string): Promise<WhisperSource> {
  const sizes = await readSizes(join(folder, 'config.json'))
  // Before any tensors are listed: an unchecked number of layers could fill the memory.
  requireWhisperSizes(sizes, folder)
  const stored = await readSafetensorsFolder(folder)
  const tensors = new Map<string, StoredTensor>()
  for (const { name, shape } of listWhisperTensors(sizes)) {
    const tensor = findTensor(stored, toHuggingFaceName(name))
    if (!tensor) {
      throw notConvertible(
        `The weights in ${folder} have no tensor model.${toHuggingFaceName(name)}, which config.json asks for.`,
        'The folder holds files of different models, or a part of one: download the whole folder again.',
      )
    }
    requireShape(tensor, shape)
    tensors.set(name, tensor)
  }
  const alignmentHeads = await readAlignmentHeads(join(folder, 'generation_config.json'), sizes)
  return { sizes, tensors, words: await readWords(folder, sizes.vocabulary), alignmentHeads }
}

async function readSizes(path: string): Promise<WhisperSizes> {
  const content = await readJson(path)
  if (content === undefined) {
    throw notConvertible(`There is no ${path}.`, 'Download config.json from the page of the model into the folder.')
  }
  const { data: kind } = z.object({ model_type: z.string() }).safeParse(content)
  if (kind?.model_type !== 'whisper') {
    throw notConvertible(
      `${path} describes ${kind ? `a model of the type ${kind.model_type}` : 'no model'}; only Whisper can be converted.`,
      'Speech models of other kinds are imported as ONNX for sherpa-onnx, translation models as GGUF.',
    )
  }
  const config = Config.safeParse(content)
  if (config.success) return config.data
  const [issue] = config.error.issues
  throw damagedFile(path, `${issue?.path.join('.')} is missing or is not a positive whole number`)
}

/** A model saved without its head has no prefix; one may have only the output layer, which shares the embedding's weights. */
function findTensor(stored: Map<string, StoredTensor>, name: string): StoredTensor | undefined {
  const tensor = stored.get(`model.${name}`) ?? stored.get(name)
  return tensor ?? (name === 'decoder.embed_tokens.weight' ? stored.get('proj_out.weight') : undefined)
}

/** Parts of tensor names in ggml files and in transformers. */
const renamed: [ggml: RegExp, huggingFace: string][] = [
  [/\.positional_embedding$/, '.embed_positions.weight'],
  [/\.token_embedding\./, '.embed_tokens.'],
  [/\.ln_post\.|(?<=decoder)\.ln\./, '.layer_norm.'],
  [/\.blocks\./, '.layers.'],
  [/\.cross_attn_ln\./, '.encoder_attn_layer_norm.'],
  [/\.attn_ln\./, '.self_attn_layer_norm.'],
  [/\.mlp_ln\./, '.final_layer_norm.'],
  [/\.mlp\.0\./, '.fc1.'],
  [/\.mlp\.2\./, '.fc2.'],
  [/\.cross_attn\./, '.encoder_attn.'],
  [/\.attn\./, '.self_attn.'],
  [/\.query\./, '.q_proj.'],
  [/\.key\./, '.k_proj.'],
  [/\.value\./, '.v_proj.'],
  [/\.out\./, '.out_proj.'],
]

function toHuggingFaceName(ggmlName: string): string {
  return renamed.reduce((name, [ggml, huggingFace]) => name.replace(ggml, huggingFace), ggmlName)
}
