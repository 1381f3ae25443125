import { expect, test } from 'vitest'
import { toyWhisperMetadata } from './testing/metadata.ts'
import { readVocabulary } from './vocabulary.ts'

test('reads the tokens and sizes of a multilingual model', () => {
  expect(readVocabulary(toyWhisperMetadata())).toMatchObject({
    startOfTranscript: 11,
    startOfPrevious: 16,
    endOfText: 10,
    noSpeech: 18,
    blank: 3,
    firstTimestamp: 20,
    task: [15],
    bands: 80,
    layers: 2,
    width: 8,
    textContext: 32,
  })
})

test('pairs languages with their tokens, in the order of the model', () => {
  const { languages } = readVocabulary(
    toyWhisperMetadata({ all_language_codes: 'fa, en', all_language_tokens: '13, 12' }),
  )
  expect([...languages]).toEqual([
    ['fa', 13],
    ['en', 12],
  ])
})

test('an English-only model has neither languages nor a task', () => {
  const { languages, task } = readVocabulary(toyWhisperMetadata({ is_multilingual: '0' }))
  expect(languages.size).toBe(0)
  expect(task).toEqual([])
})

test.each(['eot', 'sot', 'sot_prev', 'no_speech', 'no_timestamps', 'transcribe', 'blank_id'])(
  'a model without %s is rejected',
  (key) => {
    const { [key]: _, ...rest } = toyWhisperMetadata()
    expect(() => readVocabulary(rest)).toThrow(`The encoder's metadata has no ${key}`)
  },
)

test.each(['', ' ', 'eighty', '80.5', 'NaN'])('a number that is "%s" is rejected', (value) => {
  expect(() => readVocabulary(toyWhisperMetadata({ n_mels: value }))).toThrow("The encoder's metadata has no n_mels")
})

test.each([
  ['fewer tokens than languages', { all_language_tokens: '12' }],
  ['tokens that are no numbers', { all_language_tokens: '12,fa' }],
])('%s are rejected', (_, changes) => {
  expect(() => readVocabulary(toyWhisperMetadata(changes))).toThrow(
    "The encoder's languages and their tokens do not match",
  )
})
