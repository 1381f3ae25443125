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
}
const other: EngineFeatures = {
  speech: { ...model, id: 'large', languages: ['ps', 'en'] },
  translation: { ...model, id: 'translator' },
  transcription: ['ps', 'en'],
  translation_sources: ['ps'],
  translation_targets: ['en'],
  diarization: true,
  language_detection: true,
}

test('several engines can do together what any of them can', () => {
  expect(uniteFeatures([speech, other])).toEqual({ ...other, speech: model })
})

test('one engine can do what it says', () => {
  expect(uniteFeatures([speech])).toEqual(speech)
})
