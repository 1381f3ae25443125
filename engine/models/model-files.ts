import { describeContent, readContentKind } from './content-kind.ts'
import { hasExactInt8Here } from './cpu-features.ts'
import { findGgmlProblem } from './ggml-file.ts'
import { readGguf } from './gguf-file.ts'
import type { ModelEntry } from './model-entry.ts'
import { chooseFiles, findSherpaProblem } from './sherpa-files.ts'

/** A file of a model with its size and hash from the catalog. */
export interface ExpectedFile {
  /** As in the entry: a path below the models folder, or below the model's folder if the model has several files. */
  name: string
  path: string
  sizeBytes: number | null
  sha256: string | null
  sha1: string | null
  /** Returns the problem with its structure, on which native code would crash; undefined if there is none. */
  findProblem(): Promise<string | undefined>
}

/**
 * Returns the files from which a model is loaded on this machine.
 *
 * @throws AppError `model_unavailable` if its weights only suit other processors
 */
export async function listModelFiles(model: ModelEntry & { path: string }): Promise<ExpectedFile[]> {
  const { path, sizeBytes, sha256, sha1 } = model
  const whole = { name: model.file ?? '', path, sizeBytes, sha256, sha1 }
  if (model.kind === 'translation') return [{ ...whole, findProblem: () => findTranslationProblem(path) }]
  const { sherpa } = model
  if (!sherpa) return [{ ...whole, findProblem: () => findSpeechProblem(path) }]
  const files = chooseFiles({ ...model, sherpa }, { hasExactInt8: await hasExactInt8Here() })
  return Object.entries(files).map(([role, file]) => ({
    ...file,
    sha1: null,
    findProblem: () => findSherpaProblem({ ...model, sherpa }, role, file.path),
  }))
}

async function findSpeechProblem(path: string): Promise<string | undefined> {
  const kind = await readContentKind(path)
  if (kind === 'ggml') return findGgmlProblem(path)
  return `it is ${describeContent(kind)}, not a Whisper model in ggml format`
}

async function findTranslationProblem(path: string): Promise<string | undefined> {
  const kind = await readContentKind(path)
  if (kind !== 'gguf') return `it is ${describeContent(kind)}, not a translation model in GGUF format`
  const read = await readGguf(path)
  return 'problem' in read ? read.problem : undefined
}
