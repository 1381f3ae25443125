import { AppError } from '#contract/app-error.ts'
import { transcriptionLanguages } from '#contract/languages.ts'
import type { Config } from '#data/config.ts'
import { chooseModelIds } from '#engine/models/active-models.ts'
import { findSpeechModel, findTranslationModel } from '#engine/models/catalog.ts'
import { findRunningForm } from '#engine/models/forms.ts'
import { readFileLanguages } from '#engine/models/file-languages.ts'
import { listInstalledSpeechModels } from '#engine/models/installed-speech-models.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { remoteModels, remoteTranslationModels } from '#engine/models/remote-models.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { assertSupportsLanguage } from '#engine/speech/channel-plan.ts'
import { requirePair } from '#engine/translation/language-pair.ts'
import { inspectModel, withHealth } from './check-model.ts'
import type { CheckedModel } from './check-model.ts'

export type ModelConfig = Pick<Config, 'modelsDir' | 'speechModel' | 'speechModelByLanguage' | 'translationModel'> &
  Partial<Pick<Config, 'speechServers' | 'translationServers' | 'translationModelByPair'>>

/** The models in use, each checked separately. */
export interface CheckedModels {
  speech: CheckedModel<SpeechModel>
  /** By language code. */
  speechByLanguage: Record<string, CheckedModel<SpeechModel>>
  /** The speech models that a person may choose for a recording. */
  installedSpeech: SpeechModel[]
  translation: CheckedModel<TranslationModel>
  /** By pair, such as `ps-en`. */
  translationByPair: Record<string, CheckedModel<TranslationModel>>
}

/** Checks every model in use: its entry, its files and the languages for which it was chosen. */
export async function checkModels(config: ModelConfig): Promise<CheckedModels> {
  const ids = await readIds(config)
  const speech = config.speechServers
    ? checkRemote(remoteModels(config.speechServers), config)
    : await checkSpeechModels(ids, config)
  const translation = config.translationServers
    ? checkRemoteTranslation(remoteTranslationModels(config.translationServers), config)
    : await checkTranslationModels(ids, config)
  return { ...speech, ...translation, installedSpeech: await listInstalled(config) }
}

async function listInstalled({ speechServers, modelsDir }: ModelConfig): Promise<SpeechModel[]> {
  if (!speechServers) return listInstalledSpeechModels(modelsDir)
  const { speech, speechByLanguage } = remoteModels(speechServers)
  const byId = new Map([speech, ...Object.values(speechByLanguage)].map((model) => [model.id, model]))
  return [...byId.values()]
}

interface ChosenIds {
  speech?: string
  speechByLanguage: Record<string, string>
  translation?: string
  translationByPair: Record<string, string>
  /** Set if the choices cannot be read: the other fields then hold only the models set in the environment. */
  error?: AppError
}

async function readIds(config: ModelConfig): Promise<ChosenIds> {
  try {
    return await chooseModelIds(config)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { speechModel: speech, speechModelByLanguage: speechByLanguage, translationModel: translation } = config
    return { speech, speechByLanguage, translation, translationByPair: config.translationModelByPair ?? {}, error }
  }
}

function requireId(id: string | undefined, { error }: ChosenIds): string {
  if (id !== undefined) return id
  throw error ?? new Error('A model id is missing although the demo models are the default')
}

async function checkSpeechModels(
  ids: ChosenIds,
  config: ModelConfig,
): Promise<Pick<CheckedModels, 'speech' | 'speechByLanguage'>> {
  const speechByLanguage = await mapValues(ids.speechByLanguage, (id, language) => {
    return checkSpeech(ids, { id, language, languages: [language], config })
  })
  const others = transcriptionLanguages.filter((code) => !Object.hasOwn(speechByLanguage, code))
  return { speech: await checkSpeech(ids, { id: ids.speech, languages: others, config }), speechByLanguage }
}

interface SpeechUse {
  id: string | undefined
  /** The language that it was chosen for and must support. */
  language?: string
  /** The languages that it serves if it supports them. */
  languages: string[]
  config: ModelConfig
}

async function checkSpeech(
  ids: ChosenIds,
  { id, language, languages, config: { modelsDir } }: SpeechUse,
): Promise<CheckedModel<SpeechModel>> {
  const find = async () => findSpeechModel(requireId(id, ids), modelsDir)
  const check = async (entry: SpeechModel) => {
    await verifyModel(entry)
    const model = { ...entry, languages: await readFileLanguages(entry) }
    if (language !== undefined) assertSupportsLanguage(model, language)
    return model
  }
  const form = await inspectModel(async () => findRunningForm(await find(), modelsDir), check)
  // If a form has been damaged since it was measured, the chosen model is used instead.
  const inspected = form.error && form.model && form.model.id !== id ? await inspectModel(find, check) : form
  const known = language === undefined ? inspected.model?.languages : undefined
  const served = languages.filter((code) => known === undefined || known.includes(code))
  const runningId = inspected.model?.id ?? id
  return withHealth(inspected, { id: runningId, kind: 'speech', languages: served, modelsDir })
}

/** Describes the models of servers, which have no files to check; whether the servers are reachable is part of the readiness check. */
function checkRemote(
  { speech, speechByLanguage }: ReturnType<typeof remoteModels>,
  { modelsDir }: ModelConfig,
): Pick<CheckedModels, 'speech' | 'speechByLanguage'> {
  const describe = (model: SpeechModel, languages: string[]) =>
    withHealth({ model }, { id: model.id, kind: 'speech', languages, modelsDir })
  const others = speech.languages.filter((code) => !Object.hasOwn(speechByLanguage, code))
  const own = Object.entries(speechByLanguage).map(([code, model]) => [code, describe(model, [code])] as const)
  return { speech: describe(speech, others), speechByLanguage: Object.fromEntries(own) }
}

function checkRemoteTranslation(
  { translation, translationByPair }: ReturnType<typeof remoteTranslationModels>,
  { modelsDir }: ModelConfig,
): Pick<CheckedModels, 'translation' | 'translationByPair'> {
  const describe = (model: TranslationModel, pairs: string[]) =>
    withHealth({ model }, { id: model.id, kind: 'translation', languages: model.languages, pairs, modelsDir })
  const own = Object.entries(translationByPair).map(([pair, model]) => [pair, describe(model, [pair])] as const)
  return { translation: describe(translation, []), translationByPair: Object.fromEntries(own) }
}

async function checkTranslationModels(
  ids: ChosenIds,
  config: ModelConfig,
): Promise<Pick<CheckedModels, 'translation' | 'translationByPair'>> {
  return {
    translation: await checkTranslation(ids, { id: ids.translation, config }),
    translationByPair: await mapValues(ids.translationByPair, (id, pair) =>
      checkTranslation(ids, { id, pair, config }),
    ),
  }
}

interface TranslationUse {
  id: string | undefined
  /** The pair that it was chosen for and must support. */
  pair?: string
  config: ModelConfig
}

async function checkTranslation(
  ids: ChosenIds,
  { id, pair, config: { modelsDir } }: TranslationUse,
): Promise<CheckedModel<TranslationModel>> {
  const find = async () => findTranslationModel(requireId(id, ids), modelsDir)
  const codes = pair?.split('-')
  const inspected = await inspectModel(find, async (model) => {
    await verifyModel(model)
    const [source, target] = codes ?? []
    if (source !== undefined && target !== undefined) requirePair(model, { source, target })
    return model
  })
  const languages = codes ?? inspected.model?.languages ?? []
  return withHealth(inspected, {
    id,
    kind: 'translation',
    languages,
    pairs: pair === undefined ? [] : [pair],
    modelsDir,
  })
}

/** Maps the values one after the other, because a check may read gigabytes. */
async function mapValues<From, To>(
  record: Record<string, From>,
  map: (value: From, key: string) => Promise<To>,
): Promise<Record<string, To>> {
  const mapped: [string, To][] = []
  for (const [key, value] of Object.entries(record)) mapped.push([key, await map(value, key)])
  return Object.fromEntries(mapped)
}
