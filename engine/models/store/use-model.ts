import { AppError } from '#contract/app-error.ts'
import { findLanguageModel, findPairModel } from '../active-models.ts'
import { findEntry, findSpeechModel, findTranslationModel } from '../catalog.ts'
import { choicesPath, readChoices, writeChoices } from '../choices.ts'
import type { ModelEntry, SpeechModel, TranslationModel } from '../model-entry.ts'
import { verifyModel } from '../verify.ts'
import { withDiskErrors } from '../disk.ts'
import { withLock } from './lock-file.ts'
import type { StoreConfig, StoreOptions } from './store-options.ts'

/** What a model is used for: a language, a pair or, with neither, everything that has no model chosen for it. */
export interface UseScope {
  language?: string
  /** Such as `ps-en`. */
  pair?: string
}

interface UseOptions extends StoreOptions {
  /** Throws if the model does not work, in which case it is not chosen. By default, only its files are verified. */
  check?: (model: SpeechModel | TranslationModel) => Promise<void>
}

/**
 * Chooses a model for a language, a pair of languages, or everything that has no model chosen for it. Engines apply the choice before
 * their next job.
 *
 * @throws AppError if the model cannot be used or does not support the language, or if the environment names another model, which takes
 *   precedence
 */
export async function useModel(
  id: string,
  scope: UseScope,
  config: StoreConfig,
  { signal, check }: UseOptions = {},
): Promise<ModelEntry> {
  const { modelsDir } = config
  const entry = await findEntry(id, modelsDir)
  const model = await findFor(entry, scope, modelsDir)
  assertNotSetInEnvironment(entry, scope, config)
  await verifyModel(model, { modelsDir, signal })
  await check?.(model)
  await withLock(choicesPath(modelsDir), async () => {
    const choices = await readChoices(modelsDir)
    if (scope.language) choices.speechByLanguage[scope.language] = id
    else if (scope.pair) choices.translationByPair[scope.pair] = id
    else choices[entry.kind] = id
    await withDiskErrors(modelsDir, () => writeChoices(modelsDir, choices))
  })
  return entry
}

/** Clears the choice for a language or a pair, which then uses the general model again. */
export async function clearChoice(
  { language, pair }: UseScope,
  { modelsDir }: Pick<StoreConfig, 'modelsDir'>,
): Promise<void> {
  await withLock(choicesPath(modelsDir), async () => {
    const choices = await readChoices(modelsDir)
    if (language !== undefined) delete choices.speechByLanguage[language]
    if (pair !== undefined) delete choices.translationByPair[pair]
    await withDiskErrors(modelsDir, () => writeChoices(modelsDir, choices))
  })
}

async function findFor({ id, kind }: ModelEntry, { language, pair }: UseScope, modelsDir: string) {
  if (language !== undefined && pair !== undefined) {
    throw new AppError('invalid_input', 'A model is chosen for a language or for a pair, not for both at once.')
  }
  if (language !== undefined) return findLanguageModel(language, id, modelsDir)
  if (pair !== undefined) return findPairModel(requirePair(pair), id, modelsDir)
  return kind === 'speech' ? findSpeechModel(id, modelsDir) : findTranslationModel(id, modelsDir)
}

function requirePair(pair: string): string {
  if (/^[a-z]{2,3}-[a-z]{2,3}$/.test(pair)) return pair
  throw new AppError('invalid_input', `"${pair}" is not a pair of languages.`, { help: 'Write it like ps-en.' })
}

function assertNotSetInEnvironment({ kind, id }: ModelEntry, { language, pair }: UseScope, config: StoreConfig): void {
  const { speechModel, speechModelByLanguage, translationModel, speechServers } = config
  if (kind === 'speech' && speechServers) {
    throw new AppError(
      'conflict',
      'Transcription servers do the work (SPEECH_SERVERS): a model of this machine is not used.',
    )
  }
  if (language !== undefined) {
    assertSame(`SPEECH_MODEL_${language.toUpperCase()}`, speechModelByLanguage[language], id)
  } else if (pair === undefined) {
    const isSpeech = kind === 'speech'
    assertSame(isSpeech ? 'SPEECH_MODEL' : 'TRANSLATION_MODEL', isSpeech ? speechModel : translationModel, id)
  }
}

function assertSame(variable: string, fixed: string | undefined, id: string): void {
  if (fixed === undefined || fixed === id) return
  throw new AppError('conflict', `${variable} names ${fixed} in the environment, which wins over a choice.`, {
    help: `Take ${variable} out of the environment and start Awaz again, or name ${id} there.`,
  })
}
