import { expect, test } from 'vitest'
import {
  bootstrapInterval,
  computeSpeechMetrics,
  computeTranslationMetrics,
  type TranslationItemResult,
  type SpeechResult,
} from './metrics.ts'
import { compareSpeech, compareTranslations, countWins } from './model-comparison.ts'
import { renderComparisonPage } from './comparison-page.ts'
import { compareWords } from './word-differences.ts'

function spoken(said: string, text: string, name = 'a.wav'): SpeechResult {
  const item = { name, path: name, language: 'en', text: said }
  return { item, text, hasFailed: text === '', elapsedSeconds: 0.5, seconds: 2 }
}

test('errors are counted over all recordings, after folding, and a failed one as empty', () => {
  const results = [spoken('Where is it?', 'where is it'), spoken('At home.', 'at hone'), spoken('No', '')]
  const figures = computeSpeechMetrics(results, { language: 'en', peakMemoryBytes: 1 })
  expect(figures).toMatchObject({ items: 3, failed: 1, words: 6, seconds: 6, realTimeFactor: 0.25 })
  expect(figures.wer.value).toBeCloseTo((100 * 2) / 6)
  expect(figures.cer.value).toBeCloseTo((100 * 3) / 20)
})

test('chrF is computed over all lines; speed counts the output', () => {
  const item = { name: 'x:1', source: 'ps', target: 'en', text: 'سلام', reference: 'hello' }
  const results: TranslationItemResult[] = [
    { item, text: 'hello', hasFailed: false, elapsedSeconds: 1, tokens: 3 },
    { item, text: '', hasFailed: true, elapsedSeconds: 1, tokens: 0 },
  ]
  const figures = computeTranslationMetrics(results, { language: 'ps-en', peakMemoryBytes: 1 })
  expect(figures).toMatchObject({ failed: 1, linesPerSecond: 1, charactersPerSecond: 2.5, tokensPerSecond: 1.5 })
  // sacrebleu.corpus_chrf(['hello', ''], [['hello', 'hello']])
  expect(figures.chrf.value).toBeCloseTo(55.555_555_555_555_56, 9)
})

test('an interval contains its score, is reproducible, and has no width where all items are equal', () => {
  const items = [0, 0, 0, 1, 0, 1, 0, 0, 1, 0]
  const mean = (drawn: readonly number[]) => drawn.reduce((sum, item) => sum + item, 0) / drawn.length
  const figure = bootstrapInterval(items, mean)
  expect(figure.value).toBe(0.3)
  expect(figure.low).toBeLessThan(0.3)
  expect(figure.high).toBeGreaterThan(0.3)
  expect(figure).toEqual(bootstrapInterval(items, mean))
  expect(bootstrapInterval([0.4, 0.4], mean)).toEqual({ value: 0.4, low: 0.4, high: 0.4 })
})

test('differing words are wrong, extra or missing, in order', () => {
  expect(compareWords('Where is the money, sir?', 'where was the big money')).toEqual([
    { kind: 'same', word: 'where' },
    { kind: 'wrong', word: 'was', expected: 'is' },
    { kind: 'same', word: 'the' },
    { kind: 'extra', word: 'big' },
    { kind: 'same', word: 'money' },
    { kind: 'missing', word: 'sir' },
  ])
  expect(compareWords('', 'one')).toEqual([{ kind: 'extra', word: 'one' }])
  expect(compareWords('كتاب', 'کتاب')).toEqual([{ kind: 'same', word: 'کتاب' }])
})

/** Returns the results of a second model for the same recordings. */
function again(results: SpeechResult[], ...texts: string[]): SpeechResult[] {
  return results.map((result, index) => ({ ...result, text: texts[index] ?? '' }))
}

const first = [
  spoken('one two', 'one too', '1.wav'),
  spoken('three', 'three', '2.wav'),
  spoken('four', 'four', '3.wav'),
]

test('the speech model with fewer wrong words wins a line', () => {
  const comparison = compareSpeech(['base', 'small'], [first, again(first, 'one two', 'tree', 'Four.')])
  expect(comparison.lines.map(({ winner }) => winner)).toEqual([1, 0, undefined])
  expect(countWins(comparison)).toEqual({ first: 1, second: 1, even: 1 })
})

test('translations are compared with each other, and scored against the reference', () => {
  const item = { name: 'x:1', source: 'ps', target: 'en', text: 'سلام', reference: 'good morning' }
  const result = (text: string) => ({ item, text, hasFailed: false, elapsedSeconds: 1 })
  const comparison = compareTranslations(['a', 'b'], [[result('good night')], [result('good morning')]])
  expect(comparison.lines[0]).toMatchObject({
    winner: 1,
    source: 'سلام',
    texts: [
      { differences: [{ kind: 'same' }, { kind: 'wrong', word: 'night', expected: 'morning' }] },
      { score: 100, differences: [{ kind: 'same' }, { kind: 'wrong', word: 'morning', expected: 'night' }] },
    ],
  })
})

test('the comparison page marks words, escapes texts, and sets the direction of each', () => {
  const speech = compareSpeech(['<base>', 'small'], [first, again(first, 'one two & more', '', 'four')])
  const page = renderComparisonPage([speech], 'our calls')
  expect(page).toContain('<mark title="two">too</mark>')
  expect(page).toContain('<ins>more</ins>')
  expect(page).toContain('<del>three</del>')
  expect(page).toContain('&lt;base&gt;')
  expect(page).not.toMatch(/<base>|<script|https?:/u)
  const item = { name: 'x:1', source: 'ps', target: 'en', text: 'سلام', reference: 'hello' }
  const results = [{ item, text: 'hello', hasFailed: false, elapsedSeconds: 1 }]
  expect(renderComparisonPage([compareTranslations(['a', 'b'], [results, results])], 'x')).toContain(
    '<p lang="ps" dir="rtl">سلام</p>',
  )
})
