/** By folded letter of the Arabic script (see foldText): its sound. */
const sounds: Record<string, string> = {
  ا: 'A',
  ب: 'b',
  پ: 'p',
  ت: 't',
  ط: 't',
  ٹ: 't',
  ث: 'þ',
  ج: 'j',
  چ: 'č',
  ح: 'h',
  خ: 'x',
  د: 'd',
  ڈ: 'd',
  ذ: 'ð',
  ض: 'ð',
  ظ: 'ð',
  ر: 'r',
  ڑ: 'ṛ',
  ز: 'z',
  ژ: 'ž',
  ځ: 'ẑ',
  څ: 'ĉ',
  ږ: 'ĝ',
  ښ: 'ŝ',
  س: 's',
  ص: 's',
  ش: 'š',
  ع: 'ʿ',
  غ: 'ġ',
  ف: 'f',
  ڤ: 'w',
  ق: 'q',
  ک: 'k',
  گ: 'g',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ں: 'n',
  ڼ: 'n',
  و: 'W',
  ه: 'h',
  ھ: 'h',
  ی: 'Y',
  ے: 'Y',
}

/**
 * Returns the sounds of a folded word of the Arabic script. Short vowels are not written, so the sounds have none. The article of a name
 * (عبدالرحمن, الزرقاوی) has its own sounds, because Latin script writes it in many ways or not at all.
 */
export function soundsOfArabic(word: string): string {
  const marked = word
    .replace(/^ال(?=...)/u, '@ł')
    .replace(/(?<=^عبد)ال(?=..)/u, '@ł')
    .replace(/ال(?=له$|دین$)/u, '@ł')
    .replace(/(?<=..)ه$/u, 'E')
    // Latin script writes -ah for this and for a long vowel at the end.
    .replace(/(?<=ا)[Eح]$/u, 'H')
  let read = ''
  let last = ''
  for (const letter of marked) {
    if (letter !== last) read += 'EH@ł'.includes(letter) ? letter : (sounds[letter] ?? '')
    last = letter
  }
  return read.replace(/^A/u, 'I').replace(/^h/u, 'ĥ').replace(/^ʿ/u, 'ʔ').replace(/Y$/u, 'L')
}
