import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { notConvertible } from './conversion-error.ts'
import { openCTranslate2Whisper } from './ctranslate2.ts'
import { openHuggingFaceWhisper } from './hugging-face.ts'
import { readJson } from './json-file.ts'
import { requireWhisperSizes } from './whisper-source.ts'
import type { WhisperSource } from './whisper-source.ts'
import { writeGgml } from './write-ggml.ts'
import type { WriteOptions } from './write-ggml.ts'

export type WhisperFolder = 'safetensors' | 'ctranslate2'

const ctranslate2Files = ['vocabulary.json', 'vocabulary.txt', 'config.json']
const safetensorsFiles = ['model.safetensors', 'model.safetensors.index.json', 'adapter_model.safetensors']

/**
 * Returns the format of a folder by the names of its files; undefined where it is neither. `convertWhisper` checks the files.
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
 * @throws AppError `model_unavailable` with what was found and what to do, where the folder has no complete Whisper
 * @throws AppError `disk_full` where the file does not fit
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
