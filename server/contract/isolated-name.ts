const firstStrongIsolate = '\u2068'
const popIsolate = '\u2069'
const isolates = /[\u2068\u2069]/g
const directionControls = /[\u202A-\u202E\u2066-\u2069]/g

const letter = String.raw`(?!\p{Nd})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]`
const hasRightToLeft = new RegExp(String.raw`${letter}|[\u0660-\u0669]`, 'u')
const isFileName = /_|\.\d?[a-z]\w*$/iu
/** Words with only spaces and punctuation between them, and Arabic-Indic digits, next to which punctuation runs right to left. */
const rightToLeftRun = new RegExp(String.raw`(${letter}(?:[^\p{L}\p{Nd}]*${letter})*\p{M}*|[\u0660-\u0669]+)`, 'u')
/** Dates, times and telephone numbers: numbers of several parts, which run left to right in every text. */
const compoundNumber = /(\+\p{Nd}[\p{Nd} -]*\p{Nd}|\p{Nd}+(?:[-./:]\p{Nd}+)+)/u

/**
 * Splits a name given by a person or a device (to a recording, speaker, case or tag) into parts in reading order: those at odd indexes must
 * be isolated, the others are left unchanged. The whole name runs in the direction of its first letter outside the isolated parts: a file
 * name from left to right, any other name as it is read. A name without right-to-left letters is one part.
 */
export function splitName(name: string): string[] {
  if (!hasRightToLeft.test(name)) return [name]
  const parts = name.split(isFileName.test(name) ? rightToLeftRun : compoundNumber)
  return parts.at(-1) === '' ? parts.slice(0, -1) : parts
}

/** Returns the direction of such a name as a whole. */
export function nameDirection(name: string): 'ltr' | 'rtl' {
  const [first = ''] =
    /\p{L}/u.exec(
      splitName(name)
        .filter((_, index) => index % 2 === 0)
        .join(''),
    ) ?? []
  return hasRightToLeft.test(first) ? 'rtl' : 'ltr'
}

/**
 * Returns a name for plain text, such as a mail or a page title, with isolates (Unicode Annex 9) that preserve its order and that of the
 * surrounding text. Directional controls in the name itself are removed, because their effect would extend beyond it.
 */
export function isolateName(name: string): string {
  const plain = name.replaceAll(directionControls, '')
  if (!hasRightToLeft.test(plain)) return plain
  const parts = splitName(plain).map((part, index) => (index % 2 === 1 ? isolate(part) : part))
  return isolate(parts.join(''))
}

/** Returns a text without the isolates that `isolateName` inserted, to be read aloud or compared. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(isolates, '')
}

/** Returns HTML with elements in place of the isolates of `isolateName`. `html` is escaped text. */
export function isolatesToHtml(html: string): string {
  return html.replaceAll(firstStrongIsolate, '<bdi>').replaceAll(popIsolate, '</bdi>')
}

/** Returns a text with left-to-right marks in place of the isolates of `isolateName`, for formats without isolates. */
export function isolatesToMarks(text: string): string {
  return text.replaceAll(isolates, '\u200E')
}

function isolate(text: string): string {
  return `${firstStrongIsolate}${text}${popIsolate}`
}
