import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { readCatalog } from '../catalog.ts'
import { openGgmlWhisper } from '../convert/ggml-whisper.ts'
import { onnxWhisperFiles, writeOnnxWhisper } from '../convert/onnx/write-onnx-whisper.ts'
import type { WhisperSource } from '../convert/whisper-source.ts'
import { hasExactInt8Here } from '../cpu-features.ts'
import { weightsOf } from '../forms.ts'
import type { SpeechModelEntry } from '../model-entry.ts'
import { saveLocalEntry } from './local-catalog.ts'
import { withDiskErrors } from './disk.ts'
import { withLock } from './lock-file.ts'
import { makeOnnxEntry } from './make-entry.ts'
import { measureFiles } from './measure-files.ts'
import type { StoreOptions } from './store-options.ts'

/** A second form of a Whisper that was installed: its entry, or why there is none, as the end of a sentence. */
export type FastForm = { model: SpeechModelEntry } | { problem: string }

interface FastFormOptions extends StoreOptions {
  modelsDir: string
  /** Opens the weights; by default the model's ggml file at `path`. */
  open?: () => Promise<WhisperSource>
}

const { int8, tokens } = onnxWhisperFiles
const onnx = {
  family: 'whisper' as const,
  isInt8: true,
  files: { encoder: { name: int8.encoder }, decoder: { name: int8.decoder }, tokens: { name: tokens } },
  float32Files: {},
}

/** Returns whether such a form of a model is there. */
export async function hasFastForm(model: SpeechModelEntry, modelsDir: string): Promise<boolean> {
  return (await stat(formPath(model, modelsDir)).catch(() => undefined)) !== undefined
}

function formPath({ id }: SpeechModelEntry, modelsDir: string): string {
  return join(modelsDir, `${id}-onnx`)
}

/**
 * Writes an installed Whisper in ggml format once more, for onnxruntime with 8-bit integers, which takes less CPU time on most processors:
 * docs/decisions/whisper-decoder.md. It becomes an entry of its own with the same `weights`. The model stays usable where that fails.
 *
 * @throws AppError `job_cancelled` when `signal` is aborted
 */
export async function addFastForm(model: SpeechModelEntry, path: string, options: FastFormOptions): Promise<FastForm> {
  try {
    return { model: await writeForm(model, options.open ?? (() => openGgmlWhisper(path)), options) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'job_cancelled') throw error
    return { problem: error.message }
  }
}

async function writeForm(
  base: SpeechModelEntry,
  open: () => Promise<WhisperSource>,
  { modelsDir, signal, onProgress }: FastFormOptions,
): Promise<SpeechModelEntry> {
  if (!(await hasExactInt8Here())) {
    throw new AppError('model_unavailable', 'This machine’s processor does not multiply 8-bit integers exactly.')
  }
  const folder = formPath(base, modelsDir)
  const id = basename(folder)
  if (await hasFastForm(base, modelsDir)) throw new AppError('conflict', `${folder} is there already.`)
  const source = await open()
  await withLock(`${folder}.partial`, () =>
    withDiskErrors(folder, () =>
      writeOnnxWhisper(source, folder, {
        signal,
        onProgress: (progress) => onProgress?.({ stage: 'convert', ...progress }),
      }),
    ),
  )
  const known = (await readCatalog(modelsDir)).find((entry) => entry.id === id)
  const { languages, licence } = base
  const options = { name: known?.name ?? `${base.name}, ONNX`, languages, licence }
  const entry = await makeOnnxEntry({ id, known, file: id, options, fallbackName: id }, onnx, folder)
  if (entry.kind !== 'speech' || !entry.sherpa) throw new Error('an entry for onnxruntime has its files')
  const files = await measureFiles(entry.sherpa.files, folder, { modelsDir, signal })
  const { maxWindowMs, oneSpanPerWindow, minAudioContext } = base
  const trained = { weights: weightsOf(base), maxWindowMs, oneSpanPerWindow, minAudioContext }
  const form = { ...entry, ...trained, sherpa: { ...entry.sherpa, files } }
  await saveLocalEntry(modelsDir, form)
  return form
}
