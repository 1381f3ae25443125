import { AppError } from '#contract/app-error.ts'
import { isTranslationLanguage, transcriptionLanguages } from '#contract/languages.ts'

/** What is known of a model that is imported, beyond what its files say. */
export interface ImportOptions {
  /** Unset: made of the name of the file. */
  id?: string
  /** Unset: the name of the file. */
  name?: string
  /** Unset: those that the files know. */
  languages?: string[]
  licence?: string
  /** Whether Whisper weights that are converted are written with 8 bits: about half the size. */
  quantize?: boolean
}

/**
 * Throws `invalid_input` for an id that no model can have, or a language that nobody can choose.
 */
export function assertImportOptions({ id, languages }: ImportOptions, kind: 'speech' | 'translation'): void {
  if (id !== undefined && !/^[a-z0-9][a-z0-9._-]*$/.test(id)) {
    throw new AppError('invalid_input', `"${id}" is no id of a model.`, {
      help: 'An id is made of lower-case letters, digits, dots, dashes and underscores.',
    })
  }
  const known: readonly string[] = transcriptionLanguages
  const unknown = languages?.find((code) => (kind === 'speech' ? !known.includes(code) : !isTranslationLanguage(code)))
  if (unknown !== undefined) {
    throw new AppError('invalid_input', `"${unknown}" is no language that can be chosen for a ${kind} model.`, {
      help: `Languages of speech are ${known.join(', ')}; those of translation have the codes of ISO 639-1.`,
    })
  }
  if (languages?.length === 0) throw new AppError('invalid_input', 'A model needs a language.', { help: 'Name one.' })
}

/** An id made of the name of a file or folder. */
export function toModelId(fileName: string): string {
  const stem = fileName.replace(/\.(?:bin|gguf|zip|tar|tgz|gz|bz2|onnx)$/giu, '').replace(/\.tar$/iu, '')
  const id = stem
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/gu, '-')
    .replace(/^[^a-z0-9]+/u, '')
  return id || 'model'
}
