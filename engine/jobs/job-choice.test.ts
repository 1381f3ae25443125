import { expect, test } from 'vitest'
import { newId } from '#data/ids.ts'
import type { WaitingJob } from '#data/jobs/claim.ts'
import { uniteFeatures, type EngineFeatures } from '#data/engines/engine-features.ts'
import type { JobParams } from '#data/jobs/job-params.ts'
import { noFeatures } from '#testing/jobs.ts'
import type { EngineModels } from './engine-models.ts'
import { createJobChoice } from './job-choice.ts'

const model = { name: 'Model', is_demo: false, languages: ['ps', 'en'] }
const speech: EngineFeatures = {
  ...noFeatures,
  speech: { id: 'main', ...model },
  transcription: ['ps', 'en'],
  diarization: true,
  language_detection: true,
}
const translation: EngineFeatures = {
  ...noFeatures,
  translation: { id: 'translator', ...model },
  translation_sources: ['ps', 'en'],
  translation_targets: ['ps', 'en'],
}

function failOnUse(): never {
  throw new Error('Choosing a job must not load models')
}

function modelsOf(features: EngineFeatures): EngineModels {
  const models = { speechByLanguage: {}, speechErrors: {}, translationByPair: {} }
  const requireAny = { requireSpeech: failOnUse, requireInstalledSpeech: failOnUse, requireTranslation: failOnUse }
  return { ...models, ...requireAny, features }
}

function choose(own: EngineFeatures, { all = own, ...options }: Partial<ReturnType<typeof defaults>> = {}) {
  const settings = { ...defaults(own), all, ...options }
  return createJobChoice({
    models: () => modelsOf(own),
    isLoaded: (id) => id === settings.loaded,
    canReadRecordings: () => settings.canReadRecordings,
    allFeatures: () => settings.all,
    now: settings.now,
  })
}

function defaults(all: EngineFeatures | null) {
  return { all, loaded: undefined as string | undefined, canReadRecordings: true, now: () => 0 }
}

function waiting(params: JobParams | object): WaitingJob {
  const kind = 'kind' in params ? params.kind : 'transcribe'
  return { id: newId(), kind: kind as WaitingJob['kind'], params, rank: 1, recordingId: null }
}

function transcription(...languages: ('ps' | 'en' | 'ur' | 'auto')[]): WaitingJob {
  const [language = 'ps'] = languages
  const channelLanguages = languages.length > 1 ? languages : null
  return waiting({ kind: 'transcribe', language, channelLanguages, names: [] })
}

function translationTo(targetLanguage: string, sourceLanguage = 'ps'): WaitingJob {
  const ids = { sourceId: null, transcriptionId: null }
  return waiting({ kind: 'translate', ...ids, sourceLanguage, targetLanguage, context: null })
}

function dialogue(hasText: boolean): WaitingJob {
  return waiting({ kind: 'diarize', hasText, language: 'ps', channelLanguages: null })
}

test.each([
  ['a transcription in a language of its model', transcription('ps'), true],
  ['a transcription whose language is to be detected', transcription('auto'), true],
  ['a transcription in two languages of its model', transcription('ps', 'en'), true],
  ['a transcription with one channel in another language', transcription('ps', 'ur'), false],
  ['a translation', translationTo('en'), false],
  ['a diarization with words', dialogue(true), true],
] as const)('an engine with a speech model alone, and %s', (_, job, canRun) => {
  expect(choose(speech, { all: uniteFeatures([speech, translation]) }).canRun?.(job)).toBe(canRun)
})

test.each([
  ['a translation to a language of its model', translationTo('en'), true],
  ['a translation from a language that is to be detected', translationTo('en', 'auto'), true],
  ['a translation from another language', translationTo('en', 'fr'), false],
  ['a transcription', transcription('ps'), false],
  ['a diarization with words', dialogue(true), false],
  ['a diarization without words', dialogue(false), true],
] as const)('an engine with a translation model alone, and %s', (_, job, canRun) => {
  const french = { ...translation, translation_sources: ['fr'] }
  expect(choose(translation, { all: uniteFeatures([speech, translation, french]) }).canRun?.(job)).toBe(canRun)
})

test.each([
  ['knows the language', 'large', ['ps', 'en'], true],
  ['does not know one of the languages', 'large', ['ps', 'ur'], false],
  ['tells no languages apart', 'large', ['auto'], false],
  ['is not installed', 'other', ['ps'], false],
] as const)(
  'an engine runs a transcription by a chosen model only where it is installed: one that %s',
  (_, id, codes, canRun) => {
    const large = { id: 'large', name: 'Large', languages: ['ps', 'en'], detects_languages: false }
    const job = transcription(...codes)
    const chosen = { ...job, params: { ...Object(job.params), model: id } }
    const all = uniteFeatures([speech, { ...speech, speech_models: [{ ...large, id: 'other' }] }])
    const { canRun: ask, isModelLoaded } = choose({ ...speech, speech_models: [large] }, { all, loaded: 'large' })
    expect(ask?.(chosen)).toBe(canRun)
    expect(isModelLoaded?.(chosen)).toBe(id === 'large')
  },
)

test('leaves a job that no live engine can run in the queue for two minutes, then claims it so that it fails with the reason', () => {
  let nowMs = 0
  const { canRun } = choose(speech, { now: () => nowMs })
  const job = translationTo('en')
  expect(canRun?.(job)).toBe(false)
  nowMs = 119_999
  expect(canRun?.(job)).toBe(false)
  nowMs = 120_000
  expect(canRun?.(job)).toBe(true)
})

test('claims no such job while the features of the other engines are unknown', () => {
  let nowMs = 0
  const { canRun } = choose(speech, { all: null, now: () => nowMs })
  const job = translationTo('en')
  canRun?.(job)
  nowMs = 1_000_000
  expect(canRun?.(job)).toBe(false)
})

test('an engine that cannot read the recordings only translates', () => {
  const both = uniteFeatures([speech, translation])
  const { canRun } = choose(both, { canReadRecordings: false, now: () => 1_000_000 })
  expect([transcription('ps'), dialogue(false), translationTo('en')].map((job) => canRun?.(job))).toEqual([
    false,
    false,
    true,
  ])
})

test('any engine claims a job of another version', () => {
  expect(choose(translation).canRun?.(waiting({ kind: 'transcribe', colour: 'blue' }))).toBe(true)
})

test('returns whether the model of a job is in memory', () => {
  const both = uniteFeatures([speech, translation])
  const { isModelLoaded } = choose(both, { loaded: 'main' })
  expect(
    [transcription('ps'), dialogue(true), dialogue(false), translationTo('en')].map((job) => isModelLoaded?.(job)),
  ).toEqual([true, true, false, false])
  expect(choose(both).isModelLoaded?.(transcription('ps'))).toBe(false)
})
