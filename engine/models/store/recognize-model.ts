import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { describeContent, readContentKind } from '../content-kind.ts'
import { findWhisperFolder } from '../convert/convert-whisper.ts'
import { exportedEntryName } from './exported-entry.ts'
import { findOnnxModel } from './find-onnx-model.ts'
import type { OnnxModel } from './find-onnx-model.ts'

/** A model recognized in a file or folder to import. */
export type RecognizedModel =
  | { kind: 'ggml' | 'gguf'; path: string }
  | { kind: 'archive'; path: string }
  | { kind: 'whisper'; folder: string }
  | { kind: 'onnx'; folder: string; onnx: OnnxModel }
  | { kind: 'exported'; folder: string }

const help =
  'Give a Whisper in ggml format, a translation model in GGUF format, the folder of a Whisper (Hugging Face or CTranslate2), the folder of a model for sherpa-onnx, or an archive of one of them.'

/**
 * Recognizes the model in a file or folder by its content.
 *
 * @throws AppError `model_unavailable` with what was found instead
 */
export async function recognizeModel(path: string): Promise<RecognizedModel> {
  const info = await stat(path).catch(() => undefined)
  if (!info) throw new AppError('not_found', `There is no file or folder ${path}.`, { help })
  return info.isDirectory() ? findInFolder(path) : findInFile(path)
}

async function findInFile(path: string): Promise<RecognizedModel> {
  const kind = await readContentKind(path)
  if (kind === 'ggml' || kind === 'gguf') return { kind, path }
  if (['zip', 'gzip', 'bzip2', 'tar'].includes(kind)) return { kind: 'archive', path }
  const more = kind === 'onnx' || kind === 'safetensors' ? ' Give the folder it belongs to.' : ''
  throw new AppError('model_unavailable', `${path} cannot be imported: it is ${describeContent(kind)}.${more}`, {
    help,
  })
}

async function findInFolder(folder: string): Promise<RecognizedModel> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  // Archives often contain one folder with the archive's name.
  if (files.length === 0 && folders[0] && folders.length === 1) return findInFolder(join(folder, folders[0].name))
  if (files.includes(exportedEntryName)) return { kind: 'exported', folder }
  if (await findWhisperFolder(folder)) return { kind: 'whisper', folder }
  const onnx = await findOnnxModel(folder)
  if (onnx) return { kind: 'onnx', folder, onnx }
  const whole = await findModelFiles(folder, files)
  const [only] = whole
  if (only && whole.length === 1) return only
  if (whole.length > 1) {
    const names = whole.map(({ path }) => path).join(', ')
    throw new AppError('model_unavailable', `${folder} has several models: ${names}.`, { help: 'Import one of them.' })
  }
  const found = files.length === 0 ? 'it has no files' : `it has ${files.slice(0, 8).join(', ')}`
  throw new AppError('model_unavailable', `There is no model in the folder ${folder}: ${found}.`, { help })
}

async function findModelFiles(folder: string, files: string[]): Promise<{ kind: 'ggml' | 'gguf'; path: string }[]> {
  const found = await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name)
      const kind = await readContentKind(path)
      return kind === 'ggml' || kind === 'gguf' ? [{ kind, path }] : []
    }),
  )
  return found.flat()
}
