import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeChoices } from '#engine/models/choices.ts'
import { findThisProcessor, saveMeasurement } from '#engine/models/measurements.ts'
import { speechEngineOf } from '#engine/models/speech-engines.ts'
import type { EngineModels } from './engine-models.ts'
import { demoFiles, makeModelFolder, readHead } from './testing/model-folder.ts'
import type { ModelFolder } from './testing/model-folder.ts'
import { watchModels } from './watch-models.ts'

const log = pino({ level: 'silent' })
let folder: ModelFolder
beforeEach(async () => {
  folder = await makeModelFolder()
})
afterEach(() => folder.remove())

const everyLanguage = ['ps', 'en', 'ur', 'fa', 'ar']

/** Returns the problem of the Persian model, asserting that Persian and nothing else is unavailable. */
function persianProblem({ features, requireSpeech }: EngineModels): string {
  const { transcription, language_detection, models } = features
  expect(transcription).toEqual(everyLanguage.filter((code) => code !== 'fa'))
  expect([language_detection, requireSpeech('ps').id, requireSpeech('auto').id]).toEqual([
    true,
    'demo-speech',
    'demo-speech',
  ])
  const { problem } = models.find(({ languages }) => languages.join() === 'fa') ?? {}
  expect(() => requireSpeech('fa')).toThrow(/persian|unknown-model|translator/)
  return String(problem)
}

type Damage = (folder: ModelFolder) => Promise<void>

const brokenSpeech: [string, string, Damage][] = [
  ['a text file', 'not a Whisper model', ({ path }) => writeFile(path('persian'), 'no model at all\n'.repeat(500))],
  ['an empty file', 'Model persian', ({ path }) => writeFile(path('persian'), '')],
  ['a folder', 'Model persian', async ({ path }) => void (await mkdir(path('persian')))],
  ['nothing', 'The model Model persian is not installed.', async () => undefined],
  [
    'a truncated model',
    'Model persian',
    async ({ path }) => writeFile(path('persian'), await readHead('speech', 3_000_000)),
  ],
  ['a translation model', 'Model persian', ({ copyDemo }) => copyDemo('translation', 'persian')],
]

test.each(brokenSpeech)(
  '%s in place of the Persian model makes only Persian unavailable',
  async (_, sentence, damage) => {
    await folder.add('persian', 'speech')
    await damage(folder)
    const config = { ...folder.config, speechModelByLanguage: { fa: 'persian' } }
    const models = (await watchModels(config, log)).current()
    const problem = persianProblem(models)
    expect(problem).toContain(sentence)
    expect(problem).toMatch(/\.$/)
    expect(problem).not.toContain(folder.dir)
    // Users see the same message.
    const unavailable = expect.objectContaining({ code: 'model_unavailable', message: problem })
    expect(() => models.requireSpeech('fa')).toThrow(unavailable)
  },
)

test('a hash other than the catalogue’s makes only Persian unavailable', async () => {
  await folder.add('persian', 'speech', { sha256: 'ab'.repeat(32) })
  await folder.copyDemo('speech', 'persian')
  const watch = await watchModels({ ...folder.config, speechModelByLanguage: { fa: 'persian' } }, log)
  expect(persianProblem(watch.current())).toMatch(/catalogue names for Model persian: its SHA-256/)
})

test('a model without Persian makes only Persian unavailable', async () => {
  await folder.add('persian', 'speech', { languages: ['ps', 'en'] })
  await folder.copyDemo('speech', 'persian')
  const watch = await watchModels({ ...folder.config, speechModelByLanguage: { fa: 'persian' } }, log)
  expect(persianProblem(watch.current())).toBe('The speech model Model persian does not know Persian.')
})

test('an English-only Whisper does not support Persian, whatever its entry says', async () => {
  await folder.add('persian', 'speech')
  const weights = await readFile(demoFiles.speech)
  weights.writeInt32LE(51_864, 4)
  await writeFile(folder.path('persian'), weights)
  const watch = await watchModels({ ...folder.config, speechModelByLanguage: { fa: 'persian' } }, log)
  expect(persianProblem(watch.current())).toBe('The speech model Model persian does not know Persian.')
})

test.each([
  ['an id that no catalogue knows', 'unknown-model', 'There is no model "unknown-model" in the catalogue.'],
  ['a model of the other kind', 'demo-translator', 'Awaz demo translator is a translation model, not a speech model.'],
])('%s for Persian makes only Persian unavailable', async (_, id, sentence) => {
  const watch = await watchModels({ ...folder.config, speechModelByLanguage: { fa: id } }, log)
  expect(persianProblem(watch.current())).toBe(sentence)
})

test('a broken default model leaves the languages with their own model', async () => {
  await folder.add('general', 'speech')
  await writeFile(folder.path('general'), 'no model')
  const config = { ...folder.config, speechModel: 'general', speechModelByLanguage: { fa: 'demo-speech' } }
  const { features, requireSpeech } = (await watchModels(config, log)).current()
  expect(features).toMatchObject({ transcription: ['fa'], language_detection: false, diarization: true })
  expect(requireSpeech('fa').id).toBe('demo-speech')
  expect(() => requireSpeech('en')).toThrow('Model general')
  expect(() => requireSpeech('auto')).toThrow('Model general')
})

const brokenTranslation: [string, Damage][] = [
  ['a text file', ({ path }) => writeFile(path('translator'), 'no model at all')],
  ['an empty file', ({ path }) => writeFile(path('translator'), '')],
  ['a folder', async ({ path }) => void (await mkdir(path('translator')))],
  ['a truncated model', async ({ path }) => writeFile(path('translator'), await readHead('translation', 900_000))],
  ['a speech model', ({ copyDemo }) => copyDemo('speech', 'translator')],
]

test.each(brokenTranslation)('%s in place of a pair’s model makes only that pair unavailable', async (_, damage) => {
  await folder.add('translator', 'translation')
  await damage(folder)
  await writeChoices(folder.dir, { speechByLanguage: {}, translationByPair: { 'fa-en': 'translator' } })
  const { features, requireTranslation } = (await watchModels(folder.config, log)).current()
  expect(requireTranslation('ps-en').id).toBe('demo-translator')
  expect(() => requireTranslation('fa-en')).toThrow('Model translator')
  expect(features.models.find(({ pairs }) => pairs.includes('fa-en'))?.problem).toContain('Model translator')
  expect(features.transcription).toEqual(everyLanguage)
})

test('a choice, a repaired model and a removed model take effect without a restart', async () => {
  await folder.add('persian', 'speech')
  await writeFile(folder.path('persian'), 'no model')
  const watch = await watchModels(folder.config, log)
  expect(watch.current().requireSpeech('fa').id).toBe('demo-speech')

  await writeChoices(folder.dir, { speechByLanguage: { fa: 'persian' }, translationByPair: {} })
  persianProblem(await watch.refresh())

  await folder.copyDemo('speech', 'persian')
  const repaired = await watch.refresh()
  expect([repaired.requireSpeech('fa').id, repaired.features.transcription]).toEqual(['persian', everyLanguage])
  expect(await watch.refresh()).toBe(repaired)

  await rm(folder.path('persian'))
  expect(persianProblem(await watch.refresh())).toBe('The model Model persian is not installed.')
})

test('unreadable choices leave the models of the environment', async () => {
  await writeFile(folder.path('choices.json'), 'no JSON')
  const config = { ...folder.config, speechModelByLanguage: { fa: 'demo-speech' } }
  const { features, requireSpeech } = (await watchModels(config, log)).current()
  expect(requireSpeech('fa').id).toBe('demo-speech')
  expect(() => requireSpeech('en')).toThrow('cannot be read')
  expect(
    features.models
      .map(({ problem }) => problem)
      .filter(Boolean)
      .join(),
  ).not.toContain(folder.dir)
})

test('a person may choose among the speech models whose files are in place and well-formed', async () => {
  await folder.add('whole', 'speech')
  await folder.copyDemo('speech', 'whole')
  await folder.add('broken', 'speech')
  await writeFile(folder.path('broken'), 'no model at all\n'.repeat(500))
  await folder.add('late', 'speech')
  const watch = await watchModels(folder.config, log)
  const offered = () => watch.current().features.speech_models.map(({ id }) => id)
  expect(offered()).toEqual(['demo-speech', 'whole'])
  expect(watch.current().requireInstalledSpeech('whole', ['ps', 'auto'])).toMatchObject({ path: folder.path('whole') })
  expect(() => watch.current().requireInstalledSpeech('broken', ['ps'])).toThrow('"broken" is not installed')
  await folder.copyDemo('speech', 'late')
  await watch.refresh()
  expect(offered()).toEqual(['demo-speech', 'whole', 'late'])
})

describe('another form of the weights of a chosen model', () => {
  const measured = {
    engine: speechEngineOf({ sherpa: null }),
    processor: findThisProcessor(),
    // Later than the modification times of the files, which are written below.
    measuredAt: new Date(Date.now() + 600_000).toISOString(),
    loadS: 1,
    device: 'CPU, one thread',
    tokensPerS: null,
    realTimeFactor: 1,
    peakMemoryBytes: 1,
    words: 20,
  }

  async function watchForms(formEntry: object = {}) {
    for (const id of ['plain', 'fast']) await folder.copyDemo('speech', id)
    await folder.add('plain', 'speech', { weights: 'plain' })
    await folder.add('fast', 'speech', { weights: 'plain', ...formEntry })
    await saveMeasurement(folder.dir, 'plain', { ...measured, cpuSPerS: 0.2 })
    return watchModels({ ...folder.config, speechModel: 'plain' }, log)
  }

  test('runs as soon as it was measured as the cheaper one', async () => {
    const watch = await watchForms()
    expect(watch.current().requireSpeech('fa').id).toBe('plain')
    await saveMeasurement(folder.dir, 'fast', { ...measured, cpuSPerS: 0.1 })
    const { requireSpeech, features } = await watch.refresh()
    expect(requireSpeech('fa').id).toBe('fast')
    expect(features.speech?.id).toBe('fast')
  })

  test('does not run where its file is another since, and the chosen one goes on', async () => {
    const watch = await watchForms({ sha256: 'ab'.repeat(32) })
    await saveMeasurement(folder.dir, 'fast', { ...measured, cpuSPerS: 0.1 })
    expect((await watch.refresh()).requireSpeech('fa').id).toBe('plain')
  })
})
