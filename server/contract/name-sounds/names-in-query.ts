import type { SearchQuery, SearchTerm } from '../search-query.ts'
import type { NameSound } from './name-sound.ts'
import { maxNameWords, soundOfName, type NameForm } from './names-in-text.ts'
import { isOrdinaryWord } from './ordinary-words.ts'

/** A possible name in a query: one term, or several consecutive terms. */
export interface WantedName {
  /** The indexes of its terms. */
  terms: number[]
  /** The text as typed. */
  text: string
  words: NameForm
  sound: NameSound
}

/** A wanted name with its other spellings that were found. */
export interface SpelledName {
  name: WantedName
  spellings: NameForm[]
}

/** Returns the names that are also searched for in other spellings; quoted terms and prefixes are not. */
export function listWantedNames({ terms }: Pick<SearchQuery, 'terms'>): WantedName[] {
  const wanted: WantedName[] = []
  for (const first of terms.keys()) {
    for (let length = 1; length <= maxNameWords; length++) {
      const own = terms.slice(first, first + length)
      if (own.length < length || !own.every(canBeSpelled)) break
      const words = own.flatMap(typedWords)
      if (words.length > maxNameWords) break
      // The words of the query "money from Ahmad" are not one name.
      const sound = length > 1 && own.some(isOrdinary) ? undefined : soundOfName(words)
      const text = own.map((term) => term.text).join(' ')
      if (sound) wanted.push({ terms: own.map((_, index) => first + index), text, words, sound })
    }
  }
  return wanted
}

/** Returns a query that other spellings also match. Each term of a name matches every spelling of the name. */
export function addSpellings(query: SearchQuery, names: readonly SpelledName[]): SearchQuery {
  const terms = query.terms.map((term, index) => {
    const own = names.filter(({ name }) => name.terms.includes(index)).flatMap(({ spellings }) => spellings)
    return own.length > 0 ? withForms(term, own) : term
  })
  return { ...query, terms }
}

function canBeSpelled({ isQuoted, words }: SearchTerm): boolean {
  return !isQuoted && !words.some(({ isPrefix }) => isPrefix)
}

function isOrdinary(term: SearchTerm): boolean {
  const [word = '', ...others] = typedWords(term)
  return others.length === 0 && isOrdinaryWord(word)
}

/** Returns the words of a term as typed: a zero-width non-joiner does not separate words. */
function typedWords({ words }: SearchTerm): string[] {
  return words.map(({ forms }) => forms[0]?.[0] ?? '')
}

function withForms(term: SearchTerm, spellings: NameForm[]): SearchTerm {
  const [only] = term.words
  const typed = term.words.length === 1 && only ? only.forms : [typedWords(term)]
  const forms = new Map([...typed, ...spellings].map((form) => [form.join(' '), [...form]]))
  return { ...term, words: [{ forms: [...forms.values()], isPrefix: false }] }
}
