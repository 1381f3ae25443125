import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { ModelFile, SpeechModel } from './model-entry.ts'
import { readOnnx } from './onnx-file.ts'
import { readTextFile } from './read-text-file.ts'
import { sherpaFamilies } from './sherpa-families.ts'

/** A speech model that consists of several files. */
export type SherpaSpeechModel = SpeechModel & { sherpa: NonNullable<SpeechModel['sherpa']> }

/** A file with its path. */
interface PlacedFile extends ModelFile {
  path: string
}

/**
 * Returns the files of a model for this CPU, by role: float32 if the CPU does not multiply 8-bit integers exactly.
 *
 * @throws AppError `model_unavailable` if the model has no float32 weights: with 8 bits it would silently lose text
 */
export function chooseFiles(
  { name, path, sherpa }: Pick<SherpaSpeechModel, 'name' | 'path' | 'sherpa'>,
  { hasExactInt8 }: { hasExactInt8: boolean },
): Record<string, PlacedFile> {
  const { files, isInt8, float32Files } = sherpa
  const needsFloat32 = isInt8 && !hasExactInt8
  if (needsFloat32 && Object.keys(float32Files).length === 0) {
    throw new AppError(
      'model_unavailable',
      `The model ${name} has 8-bit weights only, with which this machine's processor would lose text.`,
      {
        help: 'Name the float32 files of the same model in its catalogue entry (float32Files), or use a machine with VNNI (x86) or the dot product (ARM).',
      },
    )
  }
  const chosen = needsFloat32 ? { ...files, ...float32Files } : files
  return Object.fromEntries(
    Object.entries(chosen).map(([role, file]) => [role, { ...file, path: join(path, file.name) }]),
  )
}

/** Returns the problem with a file on which sherpa-onnx would abort the process; undefined if there is none. */
export async function findSherpaProblem(
  model: SherpaSpeechModel,
  role: string,
  path: string,
): Promise<string | undefined> {
  if (role === 'tokens') return findTokensProblem(await readTextFile(path))
  if (!path.endsWith('.onnx')) return undefined
  const read = await readOnnx(path)
  if ('problem' in read) return read.problem
  const { encoder } = sherpaFamilies[model.sherpa.family]
  const isOther = role === 'encoder' && encoder?.type.test(read.metadata.get('model_type') ?? '') === false
  return isOther ? `it is not the encoder of ${encoder.name} exported for sherpa-onnx` : undefined
}

/** Each line of tokens.txt has a token and its id; for the token of a space, only one column remains. */
function findTokensProblem(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2 || !lines.every((line) => /^\S*\s+\d+\s*$/u.test(line))) return 'it is not a list of tokens'
  return undefined
}

/** Returns the languages of a Whisper export from its encoder's metadata; an English-only model lists none or English. */
export async function readWhisperLanguages(encoderPath: string): Promise<Set<string>> {
  const read = await readOnnx(encoderPath)
  if ('problem' in read || read.metadata.get('is_multilingual') === '0') return new Set(['en'])
  return new Set((read.metadata.get('all_language_codes') ?? '').split(',').map((code) => code.trim()))
}
