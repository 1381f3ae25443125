import { expect, test } from 'vitest'
import { corpusChrf } from './chrf.ts'

// What sacrebleu 2.6.0 printed: sacrebleu.corpus_chrf([hypothesis], [[reference]]).score
const cases = [
  ['The cat sat on the mat.', 'The cat is sitting on the mat.', 49.648_517_031_143_3],
  ['hello', 'hello', 100],
  ['abc', 'xyz', 0],
  ['', 'reference', 0],
  ['hypothesis', '', 0],
  ['a', 'a', 100],
  ['ab', 'abcdef', 31.25],
  ['پیسې سبا راوړه', 'سبا پیسې راوړه', 47.941_919_191_919_2],
  ['غداً  أحضر المال', 'أحضر المال غدا.', 68.987_308_987_308_99],
  ['Bring the\u00A0money\u200Ctomorrow', 'Bring the money tomorrow 😀', 81.134_368_154_492],
  ['😀 ok 😀', 'ok 😀😀', 54.166_666_666_666_664],
  ['Sphinx of black quartz, judge my vow', 'Sphinx of white quartz judged my vow!', 48.185_330_012_013_63],
  ['a\u0085b\uFEFFc', 'ab c', 46.428_571_428_571_43],
] as const

test.each(cases)('chrF2 of %j for %j is what sacrebleu prints', (hypothesis, reference, score) => {
  expect(corpusChrf([{ hypothesis, reference }])).toBeCloseTo(score, 9)
})

test('chrF2 of many texts is computed from their summed counts', () => {
  const pairs = cases.map(([hypothesis, reference]) => ({ hypothesis, reference }))
  expect(corpusChrf(pairs)).toBeCloseTo(53.829_601_991_169_36, 9)
})
