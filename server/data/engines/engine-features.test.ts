import { expect, test } from 'vitest'
import { uniteFeatures, type EngineFeatures } from './engine-features.ts'

const model = { id: 'small', name: 'Small', is_demo: false, languages: ['ps'] }
const speech: EngineFeatures = {
  speech: model,
  translation: null,
  transcription: ['ps'],
  translation_sources: [],
  translation_targets: [],
  diarization: true,
  language_detection: false,
  models: [],
  speech_models: [],
}
const other: EngineFeatures = {
  speech: { ...model, id: 'large', languages: ['ps', 'en'] },
  translation: { ...model, id: 'translator' },
  transcription: ['ps', 'en'],
  translation_sources: ['ps'],
  translation_targets: ['en'],
  diarization: true,
  language_detection: true,
  models: [],
  speech_models: [],
}

test('several engines can do together what any of them can', () => {
  expect(uniteFeatures([speech, other])).toEqual({ ...other, speech: model })
})

test('the features of one engine are its own', () => {
  expect(uniteFeatures([speech])).toEqual(speech)
})

test('a model has a problem where no engine can use it', () => {
  const broken = {
    id: 'farsi',
    name: 'Farsi',
    kind: 'speech' as const,
    languages: ['fa'],
    pairs: [],
    problem: 'Damaged.',
  }
  const whole = { ...broken, problem: null }
  expect(uniteFeatures([{ ...speech, models: [broken] }, other]).models).toEqual([broken])
  expect(
    uniteFeatures([
      { ...speech, models: [broken] },
      { ...other, models: [whole] },
    ]).models,
  ).toEqual([whole])
})
