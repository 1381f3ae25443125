import { rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { findSpeechModel, modelPath, readCatalog } from '../catalog.ts'
import { openGgmlWhisper } from '../convert/ggml-whisper.ts'
import { graphVersion, graphVersionKey } from '../convert/onnx/whisper-metadata.ts'
import { onnxWhisperFiles, writeOnnxWhisper } from '../convert/onnx/write-onnx-whisper.ts'
import type { WhisperSource } from '../convert/whisper-source.ts'
import { hasExactInt8Here } from '../cpu-features.ts'
import { weightsOf } from '../forms.ts'
import type { ModelEntry, SpeechModelEntry } from '../model-entry.ts'
import { removeLocalEntry, saveLocalEntry } from './local-catalog.ts'
import { withDiskErrors } from '../disk.ts'
import { readOnnx } from '../onnx-file.ts'
import { withLock } from './lock-file.ts'
import { makeOnnxEntry } from './make-entry.ts'
import { measureFiles } from './measure-files.ts'
import type { StoreOptions } from './store-options.ts'

/** A second form of an installed Whisper: its entry, or the reason why there is none, as the end of a sentence. */
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

/** Returns whether a model has such a form, with its folder and an entry that names the folder. */
export async function hasFastForm(model: SpeechModelEntry, modelsDir: string): Promise<boolean> {
  const folder = formPath(model, modelsDir)
  const isEntry = (await readCatalog(modelsDir)).some((entry) => modelPath(entry, modelsDir) === folder)
  return isEntry && (await exists(folder))
}

function formPath({ id }: SpeechModelEntry, modelsDir: string): string {
  return join(modelsDir, `${id}-onnx`)
}

/**
 * Writes an installed ggml Whisper a second time, for onnxruntime with 8-bit integers, which takes less CPU time on most processors:
 * docs/decisions/whisper-decoder.md. It becomes a separate entry with the same `weights`. If this fails or is cancelled, the model stays
 * usable and the reason is returned.
 */
export async function addFastForm(model: SpeechModelEntry, path: string, options: FastFormOptions): Promise<FastForm> {
  try {
    return { model: await writeForm(model, options.open ?? (() => openGgmlWhisper(path)), options) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { problem: error.message }
  }
}

async function writeForm(
  base: SpeechModelEntry,
  open: () => Promise<WhisperSource>,
  options: FastFormOptions,
): Promise<SpeechModelEntry> {
  if (!(await hasExactInt8Here())) {
    throw new AppError('model_unavailable', 'This machine’s processor does not multiply 8-bit integers exactly.')
  }
  const folder = formPath(base, options.modelsDir)
  await withLock(`${folder}.partial`, async () => {
    await assertFree(base, options.modelsDir)
    await writeFiles(base, folder, { ...options, source: await open() })
  })
  return findSpeechModel(basename(folder), options.modelsDir)
}

/** Writes the files of a form to a new folder, and saves its entry just before they appear there. */
async function writeFiles(
  base: SpeechModelEntry,
  folder: string,
  { modelsDir, signal, onProgress, source }: FastFormOptions & { source: WhisperSource },
): Promise<void> {
  const id = basename(formPath(base, modelsDir))
  const known = (await readCatalog(modelsDir)).find((entry) => entry.id === id)
  try {
    await withDiskErrors(folder, () =>
      writeOnnxWhisper(source, folder, {
        signal,
        onProgress: (progress) => onProgress?.({ stage: 'convert', ...progress }),
        // A process killed between the two leaves an entry that `models remove` can find, not a folder that nothing refers to.
        onComplete: async (partial) => saveLocalEntry(modelsDir, await makeForm(base, { id, known, partial, signal })),
      }),
    )
  } catch (error) {
    if (!known && !(await exists(folder))) await removeLocalEntry(modelsDir, id).catch(() => undefined)
    throw error
  }
}

/**
 * Rewrites such a form if an earlier version of Awaz wrote it, because that form takes more CPU time. Returns whether it did. An engine
 * keeps the files that it has loaded. A process killed in between leaves files that do not match the entry: the next call rewrites them.
 *
 * @throws AppError as writing a form does; the form is then unchanged
 */
export async function renewFastForm(model: SpeechModelEntry, path: string, options: FastFormOptions): Promise<boolean> {
  const { modelsDir } = options
  const folder = formPath(model, modelsDir)
  if (!(await hasFastForm(model, modelsDir)) || !(await isOutdated(folder))) return false
  await withLock(`${folder}.partial`, async () => {
    const [renewed, former] = [`${folder}.renewed`, `${folder}.former`]
    for (const left of [renewed, former]) await rm(left, { recursive: true, force: true })
    await writeFiles(model, renewed, { ...options, source: await openGgmlWhisper(path) })
    await rename(folder, former)
    await rename(renewed, folder)
    await rm(former, { recursive: true })
  })
  return true
}

/** Whether Awaz wrote the files of a form and would now write different ones. Damaged files are detected by their hashes. */
async function isOutdated(folder: string): Promise<boolean> {
  const read = await readOnnx(join(folder, int8.encoder))
  if ('problem' in read || read.metadata.get('maintainer') !== 'Awaz') return false
  return Number(read.metadata.get(graphVersionKey) ?? 1) < graphVersion
}

async function assertFree(base: SpeechModelEntry, modelsDir: string): Promise<void> {
  const folder = formPath(base, modelsDir)
  if (!(await exists(folder))) return
  const isModel = await hasFastForm(base, modelsDir)
  throw new AppError(
    'conflict',
    `${folder} is there already${isModel ? '' : ', and belongs to no model: move it away'}.`,
  )
}

/** Returns the entry of a form whose files are complete in `partial`. */
async function makeForm(
  base: SpeechModelEntry,
  { id, known, partial, signal }: { id: string; known: ModelEntry | undefined; partial: string; signal?: AbortSignal },
): Promise<SpeechModelEntry> {
  const { languages, licence } = base
  const options = { name: known?.name ?? `${base.name}, ONNX`, languages, licence }
  const entry = await makeOnnxEntry({ id, known, file: id, options, fallbackName: id }, onnx, partial)
  if (entry.kind !== 'speech' || !entry.sherpa) throw new Error('an entry for onnxruntime has its files')
  const files = await measureFiles(entry.sherpa.files, partial, { signal })
  const { maxWindowMs, oneSpanPerWindow, minAudioContext } = base
  const trained = { weights: weightsOf(base), maxWindowMs, oneSpanPerWindow, minAudioContext }
  return { ...withAudioContext(entry, base), ...trained, sherpa: { ...entry.sherpa, files } }
}

/** Copies the audio context of another entry's decoding settings into an entry: it depends on how the weights were trained. */
function withAudioContext(entry: SpeechModelEntry, base: SpeechModelEntry): SpeechModelEntry {
  const languageDecoding = { ...entry.languageDecoding }
  for (const [code, decoding] of Object.entries(base.languageDecoding)) {
    const kept = pickAudioContext(decoding)
    if (Object.keys(kept).length > 0) languageDecoding[code] = { ...languageDecoding[code], ...kept }
  }
  return { ...entry, decoding: { ...entry.decoding, ...pickAudioContext(base.decoding) }, languageDecoding }
}

function pickAudioContext(decoding: SpeechModelEntry['decoding']): SpeechModelEntry['decoding'] {
  return Object.fromEntries(Object.entries(decoding).filter(([name]) => /audioContext/iu.test(name)))
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
