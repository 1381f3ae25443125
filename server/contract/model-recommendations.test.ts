import { expect, test } from 'vitest'
import { Model } from './entities/model.ts'
import {
  describeRecommendation,
  listComparedModels,
  recommendSpeechModels,
  type ModelRecommendation,
} from './model-recommendations.ts'

function makeModel(overrides: Partial<Model>): Model {
  const unknown = { content_hash: null, size_bytes: null, approximate_size: null, memory_bytes: null, licence: null }
  return Model.parse({
    ...unknown,
    name: 'Whisper',
    kind: 'speech',
    engine: 'whisper.cpp',
    languages: ['ps', 'en', 'ur', 'fa', 'ar'],
    is_demo: false,
    is_installed: true,
    problem: null,
    uses: [],
    url: null,
    note: null,
    errors: [],
    evaluations: [],
    trial: null,
    pull_problem: null,
    ...overrides,
  })
}

const wer = (language: string, percent: number, corpus = 'FLEURS') => ({ language, metric: 'wer', percent, corpus })
const work = (cpuSPerS: number | null, overrides: Partial<NonNullable<Model['work']>> = {}) => ({
  cpu_s_per_s: cpuSPerS,
  is_measured: false,
  keeps_up: cpuSPerS === null ? null : cpuSPerS <= 2,
  has_memory: true,
  ...overrides,
})

const base = makeModel({
  id: 'base',
  name: 'Whisper base',
  errors: [wer('en', 6.6, 'LJSpeech'), wer('fa', 78.6), wer('ur', 53.7)],
  work: work(0.09, { is_measured: true }),
})
const small = makeModel({ id: 'small', name: 'Whisper small', errors: [wer('ur', 33.7)], work: work(0.35) })
const large = makeModel({
  id: 'large',
  name: 'Whisper large',
  errors: [wer('en', 4.1), wer('en', 9.3), wer('fa', 29.4), wer('ur', 30)],
  work: work(1.4),
})

function recommend(language: string, models: Model[]): ModelRecommendation {
  const found = recommendSpeechModels(models).find((each) => each.language === language)
  if (!found) throw new Error(`No recommendation for ${language}`)
  return found
}

test('the model with the lowest error is recommended, and one that takes a fifth of its time at nearly the same error', () => {
  expect(recommend('en', [base, small, large])).toMatchObject({ model: { id: 'large' }, quicker: { id: 'base' } })
  expect(recommend('fa', [base, small, large])).toMatchObject({ model: { id: 'large' }, quicker: null })
  expect(describeRecommendation(recommend('en', [base, large]))).toBe(
    'English: Whisper large, word error rate 4.1% (FLEURS), about 84 min of CPU time for an hour of sound. Quicker: Whisper base, word error rate 6.6% (LJSpeech), 5.4 min of CPU time for an hour of sound.',
  )
})

test('a model that does not keep up with speech on this host, or has not enough memory, is not recommended', () => {
  expect(recommend('ur', [small, { ...large, work: work(2.4) }]).model?.id).toBe('small')
  expect(recommend('ur', [small, { ...large, work: work(1.4, { has_memory: false }) }]).model?.id).toBe('small')
  expect(recommend('ur', [small, { ...large, work: work(null) }]).model?.id).toBe('large')
})

test('a language of which every model gets at least half of the words wrong says so', () => {
  expect(describeRecommendation(recommend('fa', [base]))).toContain('No model known here gets half of the words right')
})

test('nothing is recommended for a language of which nothing was measured, and never a demo or broken model', () => {
  expect(describeRecommendation(recommend('ps', [base, small, large]))).toBe(
    'Pashto: no model that runs here was measured. Measure your own with evaluate.',
  )
  expect(recommend('en', [{ ...base, is_demo: true }]).model).toBeNull()
  expect(recommend('en', [{ ...base, problem: { message: 'It is damaged.', help: null } }]).model).toBeNull()
})

test('the comparison begins with the quickest and leaves out what nothing is known of', () => {
  const unknown = makeModel({ id: 'unknown', work: work(null) })
  const untimed = makeModel({ id: 'untimed', errors: [wer('ps', 54.1)], work: work(null) })
  const compared = listComparedModels([untimed, unknown, large, base, { ...small, is_demo: true }])
  expect(compared.map(({ id }) => id)).toEqual(['base', 'large', 'untimed'])
})
