import { isolateName } from '../isolated-name.ts'
import { describeLanguage } from '../languages.ts'
import { currentLanguage } from '../texts/t.ts'

const rightToLeftMark = '\u200F'
const rightToLeftIsolate = '\u2067'
const firstStrongIsolate = '\u2068'
const popIsolate = '\u2069'
const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/**
 * Returns `text` as one line that reads in its own direction in a plain file, which has no other way to set it. The isolate keeps numbers,
 * Latin words and the full stop in place in a viewer that lays out every line from the left. The mark before it sets the direction of
 * the whole line in a viewer that detects it from the first strong character and skips isolates. Left-to-right text is unchanged.
 * `language` is null when unknown; the first letter of the text then decides.
 */
export function directedLine(text: string, language: string | null): string {
  const isolated = isolate(text, language)
  return isolated.startsWith(rightToLeftIsolate) ? `${rightToLeftMark}${isolated}` : isolated
}

/** Returns a line written by the program, which is in the reader's language, as directedLine does. */
export function lineInReadersLanguage(text: string): string {
  return directedLine(text, currentLanguage())
}

/** Joins a speaker's name and a text, each in its own direction; the line runs right to left when both do. */
export function namedLine(name: string, text: string, language: string | null): string {
  const parts = [isolateName(name), isolate(text, language)]
  const isRightToLeft = parts.every((part) => rightToLeftLetter.test(part))
  return `${isRightToLeft ? rightToLeftMark : ''}${parts.join(': ')}`
}

/**
 * Returns `[time] name: text`, each in its own direction. The line runs right to left when everything after the time does. `name` is null
 * when there is only one voice.
 */
export function timedLine(time: string, name: string | null, text: string, language: string | null): string {
  const line = name === null ? directedLine(text, language) : namedLine(name, text, language)
  const isRightToLeft = line.startsWith(rightToLeftMark)
  return isRightToLeft ? `${rightToLeftMark}[${time}] ${line.slice(1)}` : `[${time}] ${line}`
}

/** Returns `text` in its own direction within a line of another direction. */
export function isolate(text: string, language: string | null): string {
  if (!rightToLeftLetter.test(text)) return text
  if (language === null) return `${firstStrongIsolate}${text}${popIsolate}`
  return describeLanguage(language).direction === 'rtl' ? `${rightToLeftIsolate}${text}${popIsolate}` : text
}
