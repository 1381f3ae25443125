/**
 * Lowercase letters that cannot be told apart from a Latin letter (confusables.txt of Unicode UTS 39; addresses are compared in lowercase).
 * Letters that only resemble one, such as the Cyrillic к, н, т and г, are left out: otherwise nearly every Cyrillic name would be refused.
 */
export const latinByLookAlike = {
  // Cyrillic
  а: 'a',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'i',
  ј: 'j',
  ӏ: 'l',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  ѕ: 's',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  у: 'y',
  // Greek
  α: 'a',
  γ: 'y',
  ι: 'i',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  υ: 'u',
  ϲ: 'c',
  // Armenian
  օ: 'o',
  ս: 'u',
  հ: 'h',
  ո: 'n',
  ց: 'g',
  զ: 'q',
  յ: 'j',
  // Latin
  ı: 'i',
  ɩ: 'i',
  ɑ: 'a',
  ɡ: 'g',
  ƅ: 'b',
} as const satisfies Record<string, string>
