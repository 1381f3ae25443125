import * as fc from 'fast-check'

const significant = [
  ...'abAB İßé_-,.;#+ \n\t',
  ...'بمةهیيكکأإآٱؤئىګہھۀۓې،؛؟',
  ...'٣۳3',
  '\u0640',
  '\u064B',
  '\u0654',
  '\u0301',
  '\u200C',
  '\u2067',
  '\u2069',
  '\uFEFB',
  '\uFDFA',
  '😀',
  '炸',
  '弹',
]

/** Returns an arbitrary of texts in which characters that folding and matching treat specially are frequent. */
export function anyText(): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...significant) },
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  return fc.array(unit, { maxLength: 40 }).map((parts) => parts.join(''))
}
