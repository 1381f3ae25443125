import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Measures how usual the order of letters in a text is for a language. */
export interface LetterModel {
  /** Returns the mean log-probability of the letters of a text, each given the two before it; undefined for a text without letters. */
  meanLogProbability(text: string): number | undefined
}

/** The languages of the interface's messages: all the languages that are transcribed. English is their source. */
const translations = ['ar', 'fa', 'ps', 'ur'] as const

/** Each letter is predicted from this many preceding letters. */
const maxBefore = 2
/** A context that occurs this often counts as much as the next shorter context. */
const smoothing = 5
/** Number of letters that may occur, including those that are in none of the texts. */
const alphabetSize = 60
const wordStart = '^'
const wordEnd = '$'

let loaded: Promise<ReadonlyMap<string, LetterModel>> | undefined

/** Returns the models of the languages, built from the interface's messages in them: about 100,000 letters each, in 0.2 s. */
export function loadLetterModels(): Promise<ReadonlyMap<string, LetterModel>> {
  loaded ??= readModels()
  return loaded
}

async function readModels(): Promise<ReadonlyMap<string, LetterModel>> {
  const messages = await Promise.all(translations.map(readMessages))
  const models = new Map<string, LetterModel>(
    translations.map((language, index) => {
      // Latin letters occur in names, units and the syntax of messages.
      const texts = Object.values(messages[index] ?? {}).map((text) => text.replaceAll(/[a-z]+/gi, ' '))
      return [language, createLetterModel(texts)]
    }),
  )
  const english = Object.keys(messages[0] ?? {}).filter((text) => !/[{<]/.test(text))
  return models.set('en', createLetterModel(english))
}

/** Returns the interface's messages in a language, by the English text. */
async function readMessages(language: string): Promise<Record<string, string>> {
  const path = join(import.meta.dirname, `../../server/contract/texts/${language}.json`)
  return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(path, 'utf8')))
}

/** Counts which letters follow which in the texts of a language. */
export function createLetterModel(texts: Iterable<string>): LetterModel {
  /** How often each letter follows up to two others; the last unit of a key is the letter. */
  const counts = new Map<string, number>()
  /** How often each context is followed by anything. */
  const contexts = new Map<string, number>()
  for (const [word, occurrences] of countWords(texts)) {
    forEachLetter(word, (letter, before) => {
      for (let from = 0; from <= before.length; from += 1) {
        const context = before.slice(from)
        counts.set(context + letter, (counts.get(context + letter) ?? 0) + occurrences)
        contexts.set(context, (contexts.get(context) ?? 0) + occurrences)
      }
    })
  }

  /** Each longer context corrects the shorter one, in proportion to how often it occurs. */
  function probabilityOf(letter: string, before: string): number {
    let probability = 1 / alphabetSize
    for (let from = before.length; from >= 0; from -= 1) {
      const context = before.slice(from)
      const total = contexts.get(context) ?? 0
      const count = counts.get(context + letter) ?? 0
      probability = (count + smoothing * probability) / (total + smoothing)
    }
    return probability
  }

  return {
    meanLogProbability(text) {
      let sum = 0
      let letters = 0
      for (const word of listWords(text)) {
        forEachLetter(word, (letter, before) => {
          sum += Math.log(probabilityOf(letter, before))
          letters += 1
        })
      }
      return letters === 0 ? undefined : sum / letters
    },
  }
}

/** Counts words first, because most occur often: this takes a fraction of the time. */
function countWords(texts: Iterable<string>): Map<string, number> {
  const words = new Map<string, number>()
  for (const text of texts) for (const word of listWords(text)) words.set(word, (words.get(word) ?? 0) + 1)
  return words
}

/** Lists the words without vowel marks, which Whisper may write or leave out. */
function listWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{M}ـ]/gu, '')
  return plain.match(/\p{L}+/gu) ?? []
}

/** Calls `use` for each letter of a word and for its end, with the letters before it. */
function forEachLetter(word: string, use: (letter: string, before: string) => void): void {
  let before = wordStart
  for (const letter of [...word, wordEnd]) {
    use(letter, before)
    before = (before + letter).slice(-maxBefore)
  }
}
