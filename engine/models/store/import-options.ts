import { AppError } from '#contract/app-error.ts'
import { isTranslationLanguage, transcriptionLanguages } from '#contract/languages.ts'

/** What the operator specifies about an imported model, beyond what its files say. */
export interface ImportOptions {
  /** Derived from the file name by default. */
  id?: string
  /** The file name by default. */
  name?: string
  /** The languages that the files support by default. */
  languages?: string[]
  licence?: string
  /** Whether converted Whisper weights are quantized to 8 bits: about half the size. */
  quantize?: boolean
}

/** Files in the models folder that are not models, and the word that `models use` takes for "no model". */
const reservedIds = new Set([
  'catalog.json',
  'catalog.local.json',
  'choices.json',
  'default',
  'evaluations.json',
  'measured.json',
  'registry.json',
])

/** Matches the names of files that are being written. */
const temporaryName = /\.(?:part|partial|lock|takeover)$/

function isReservedId(id: string): boolean {
  return reservedIds.has(id) || temporaryName.test(id)
}

/** Throws `invalid_input` for an id that no model can have. */
export function assertModelId(id: string): void {
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(id)) {
    throw new AppError('invalid_input', `"${id}" is not a valid model id.`, {
      help: 'An id consists of lower-case letters, digits, dots, dashes and underscores.',
    })
  }
  if (isReservedId(id)) {
    throw new AppError('invalid_input', `"${id}" cannot be the id of a model: Awaz uses that name itself.`, {
      help: 'Choose another id with --id.',
    })
  }
}

/** Throws `invalid_input` for an id that no model can have, or an unsupported language. */
export function assertImportOptions({ id, languages }: ImportOptions, kind: 'speech' | 'translation'): void {
  if (id !== undefined) assertModelId(id)
  const known: readonly string[] = transcriptionLanguages
  const unknown = languages?.find((code) => (kind === 'speech' ? !known.includes(code) : !isTranslationLanguage(code)))
  if (unknown !== undefined) {
    throw new AppError('invalid_input', `"${unknown}" is not a supported language of a ${kind} model.`, {
      help: `Languages of speech are ${known.join(', ')}; those of translation have the codes of ISO 639-1.`,
    })
  }
  if (languages?.length === 0) throw new AppError('invalid_input', 'A model needs a language.', { help: 'Name one.' })
}

/** Returns an id derived from the name of a file or folder. */
export function toModelId(fileName: string): string {
  const stem = fileName.replace(/\.(?:bin|gguf|zip|tar|tgz|gz|bz2|onnx)$/giu, '').replace(/\.tar$/iu, '')
  const id = stem
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/gu, '-')
    .replace(/^[^a-z0-9]+/u, '')
  if (id === '') return 'model'
  return isReservedId(id) ? `${id}-model` : id
}
