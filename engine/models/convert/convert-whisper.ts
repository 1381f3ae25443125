import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { notConvertible, damagedFile } from './conversion-error.ts'
import { openCTranslate2Whisper } from './ctranslate2.ts'
import { readJson } from './json-file.ts'
import { requireWhisperSizes, type WhisperSource } from './whisper-source.ts'
import { writeGgml, type WriteOptions } from './write-ggml.ts'
import { readAlignmentHeads } from './alignment-heads.ts'
import { readSafetensorsFolder } from './safetensors.ts'
import { requireShape, type StoredTensor } from './stored-tensor.ts'
import { readWords } from './vocabulary.ts'
import { listWhisperTensors, type WhisperSizes } from './whisper-tensors.ts'

export type WhisperFolder = 'safetensors' | 'ctranslate2'

const ctranslate2Files = ['vocabulary.json', 'vocabulary.txt', 'config.json']
const safetensorsFiles = ['model.safetensors', 'model.safetensors.index.json', 'adapter_model.safetensors']

/** Fields of config.json, with the names used by transformers' WhisperConfig. */
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
 * Returns the format of a folder, judged by its file names; undefined if it is neither. `convertWhisper` checks the files.
 */
export async function findWhisperFolder(folder: string): Promise<WhisperFolder | undefined> {
  if ((await hasAny(folder, ['model.bin'])) && (await hasAny(folder, ctranslate2Files))) return 'ctranslate2'
  if (await hasAny(folder, safetensorsFiles)) return 'safetensors'
  const config = await readJson(join(folder, 'config.json')).catch(() => undefined)
  return z.object({ model_type: z.literal('whisper') }).safeParse(config).success ? 'safetensors' : undefined
}

async function hasAny(folder: string, names: string[]): Promise<boolean> {
  const infos = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
  return infos.some((info) => info?.isFile())
}

/**
 * Converts a Whisper from a Hugging Face folder (safetensors) or a CTranslate2 folder (faster-whisper) to a ggml file for whisper.cpp:
 * half floats, or 8-bit weights with `quantize`. `outFile` appears when it is complete.
 *
 * @throws AppError `model_unavailable` with what was found and what to do, if the folder has no complete Whisper
 * @throws AppError `disk_full` if the file does not fit
 * @throws AppError `job_cancelled` when `signal` is aborted
 */
export async function convertWhisper(folder: string, outFile: string, options: WriteOptions = {}): Promise<void> {
  await writeGgml(await openWhisperFolder(folder), outFile, options)
}

/**
 * Opens the Whisper in a Hugging Face or CTranslate2 folder.
 *
 * @throws AppError `model_unavailable` with what was found and what to do
 */
export async function openWhisperFolder(folder: string): Promise<WhisperSource> {
  return open(folder).catch((error: unknown) => {
    throw toReadError(error)
  })
}

async function open(folder: string): Promise<WhisperSource> {
  const kind = await findWhisperFolder(folder)
  if (!kind) {
    throw notConvertible(
      `There is no Whisper in ${folder} that could be converted.`,
      'Give the folder of a Hugging Face model (config.json, model.safetensors, vocab.json) or of CTranslate2 (model.bin, vocabulary.json).',
    )
  }
  const source = await (kind === 'ctranslate2' ? openCTranslate2Whisper(folder) : openHuggingFaceWhisper(folder))
  requireWhisperSizes(source.sizes, folder)
  return source
}

/** Translates the error of a file that this user may not read; returns other errors unchanged. */
function toReadError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error && 'path' in error)) return error
  if (error.code !== 'EACCES' && error.code !== 'EPERM') return error
  return notConvertible(
    `The file ${String(error.path)} cannot be read: this user has no right to.`,
    'Let the user that Awaz runs as read the whole folder.',
  )
}

/**
 * Opens a Whisper that transformers saved: config.json, model.safetensors (or shards), vocab.json or tokenizer.json.
 *
 * @throws AppError `model_unavailable` if the folder has no complete Whisper
 */
export async function openHuggingFaceWhisper(folder: string): Promise<WhisperSource> {
  const sizes = await readSizes(join(folder, 'config.json'))
  // Checked before any tensors are listed: an excessive number of layers could fill the memory.
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

/** A model saved without its head has no prefix; another may have only the output layer, which shares the embedding's weights. */
function findTensor(stored: Map<string, StoredTensor>, name: string): StoredTensor | undefined {
  const tensor = stored.get(`model.${name}`) ?? stored.get(name)
  return tensor ?? (name === 'decoder.embed_tokens.weight' ? stored.get('proj_out.weight') : undefined)
}

/** Parts of tensor names in ggml files and their counterparts in transformers. */
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
