/** Letter groups that stand for one sound, longest first, followed by single letters. */
const spellings: [letters: string, sound: string][] = [
  ['tsch', 'č'],
  ['tch', 'č'],
  ['sch', 'š'],
  ['dzh', 'j'],
  ['dj', 'j'],
  ['kh', 'x'],
  ['gh', 'ġ'],
  ['sh', 'š'],
  ['ch', 'ç'],
  ['zh', 'ž'],
  ['th', 'þ'],
  ['dh', 'ð'],
  ['ph', 'f'],
  ['ts', 'ĉ'],
  ['dz', 'ẑ'],
  ['ck', 'k'],
  ['aa', 'ā'],
  ['ee', 'ī'],
  ['ii', 'ī'],
  ['oo', 'ū'],
  ['uu', 'ū'],
  ['ou', 'ū'],
  ['ow', 'ow'],
  ['v', 'w'],
  ['ʼ', 'ʿ'],
  ['ʻ', 'ʿ'],
  ['ʿ', 'ʿ'],
  ['ʾ', ''],
]
const divisible = /([stdp])h|([dt])([zs])/gu
const shortVowels: Record<string, string> = { ā: 'a', ī: 'i', ū: 'u' }
/** As in Fawad, which is Fuad. */
const glide = /(?<=[^aeiou])[ae](?:w{1,2}|v{1,2})(?=a)/gu
/** As in Nowruz, which is Noruz. */
const diphthong = /(?<=[^aeiou])(?:[ao]w|au)(?=[^aeiouw])/gu
/** As in Naguib, which is Nagib. */
const hardG = /gu(?=[ei])/gu
/** As in Stanekzai, which is Istanekzai. */
const vowelBefore = /^(?=s[^aeiouhy])/u
const silentEnd = /[^aeiou]e$/u
const vowel = /[aeiouāīū]/u

/**
 * Returns the sounds of a folded Latin word for each way to read it: "sh" is one sound, or two as in Eshaq; "x" is kh or ks, and "e" at
 * the end may be silent. A letter without a sound is left out.
 */
export function soundsOfLatin(word: string): string[] {
  const readings = [read(word)]
  if (word.includes('x')) readings.push(read(word.replaceAll('x', 'ks')))
  if (word.search(glide) >= 0) readings.push(read(word.replace(glide, 'w')))
  if (word.search(diphthong) >= 0) readings.push(read(word.replace(diphthong, 'ou')))
  if (word.search(hardG) >= 0) readings.push(read(word.replace(hardG, 'g')))
  if (vowelBefore.test(word)) readings.push(read(`i${word}`))
  if (silentEnd.test(word)) readings.push(read(word.slice(0, -1)))
  if (word.search(divisible) >= 0)
    readings.push(read(word.replace(divisible, (letters) => letters.split('').join('|'))))
  return readings
}

function read(word: string): string {
  // The article within a name: Abdulrahman, Abdurrahman, Amanullah, Jalaluddin.
  const marked = word
    .replace(/^abd[aeou](?:l(?=..)(?!ah?$)|(?=([rsndtz])\1))/u, 'abd@ł')
    .replace(/(?<=...)[aeou](?=ll?ah?$|dd?(?:i|ee)ne?$)/u, '@')
  let sounds = ''
  for (let at = 0; at < marked.length;) {
    const spelled = spellings.find(([letters]) => marked.startsWith(letters, at))
    const [letters, sound] = spelled ?? [marked[at] ?? '', soundOf(marked[at] ?? '')]
    // A doubled letter is one sound.
    if (sound !== sounds.at(-1) || vowel.test(sound)) sounds += sound
    at += letters.length
  }
  return (
    sounds
      .replace(/[ae]h$/u, 'ā')
      .replace(/(?<=[iouāīū])h$/u, 'H')
      .replace(/ie(?!$)/u, 'ī')
      // As in Raeisi, which is Raisi.
      .replace(/(?<=a)e[iy](?!$)/gu, 'ī')
      .replace(/iy(?=[aeouāū])/gu, 'y')
      .replace(/(?<=[aeiouāīū])w[uūo]/gu, 'ū')
      .replace(/(?<=[aeiouāīū])y[iī]/gu, 'ī')
      // The second half of a diphthong and a final vowel are also written in Arabic script.
      .replace(/(?<=[ae])i(?!$)/gu, 'y')
      .replace(/[iy]$/u, 'ī')
      .replace(/a$/u, 'ā')
      .replace(/^h/u, 'ĥ')
      .replace(/^[aeiouāīū]/u, (first) => `^${shortVowels[first] ?? first}`)
      // After w and y, a long vowel belongs to them: Dawood, Dawud, Daud.
      .replace(/(?<=w)ū/gu, 'u')
      .replace(/(?<=y)ī/gu, 'i')
  )
}

function soundOf(letter: string): string {
  return /[a-zł@]/u.test(letter) ? letter : ''
}
