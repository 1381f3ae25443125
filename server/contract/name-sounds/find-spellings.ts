import { findSearchMarks } from '../search-query.ts'
import { splitWords } from '../search-words.ts'
import { compareNames, type NameSound } from './name-sound.ts'
import { listNameForms, maxNameWords, soundOfName, type NameForm } from './names-in-text.ts'

/** Finds other spellings of a name in a text, as UTF-16 offsets `[from, to]`. */
export type SpellingSearch = (name: string, text: string) => [number, number][]

/** Creates a search for texts that are searched repeatedly: the possible names in each text are listed only once. */
export function createSpellingSearch(): SpellingSearch {
  const formsOfText = new Map<string, NameForm[]>()
  const sounds = new Map<string, NameSound | undefined>()
  let wanted: { name: string; sound: NameSound | undefined; isSpelling: Map<string, boolean> } | undefined

  function soundOfForm(form: NameForm): NameSound | undefined {
    const text = form.join(' ')
    if (!sounds.has(text)) sounds.set(text, soundOfName(form))
    return sounds.get(text)
  }

  function isSpelling(form: NameForm, sound: NameSound, known: Map<string, boolean>): boolean {
    const text = form.join(' ')
    let is = known.get(text)
    if (is === undefined) {
      const other = soundOfForm(form)
      is = other !== undefined && compareNames(sound, other) !== undefined
      known.set(text, is)
    }
    return is
  }

  return (name, text) => {
    if (wanted?.name !== name) wanted = { name, sound: soundOfTypedName(name), isSpelling: new Map() }
    const { sound, isSpelling: known } = wanted
    if (!sound) return []
    const listed = formsOfText.get(text) ?? listNameForms(text)
    formsOfText.set(text, listed)
    const forms = listed.filter((form) => isSpelling(form, sound, known)).map((form) => [...form])
    if (forms.length === 0) return []
    return findSearchMarks({ terms: [{ text: name, isQuoted: false, words: [{ forms, isPrefix: false }] }] }, text)
  }
}

/** Returns how a typed name sounds; undefined for too many words to be one name. */
function soundOfTypedName(name: string): NameSound | undefined {
  const words = splitWords(name).filter(({ span }, index, all) => span > 1 || !isPart(index, all))
  return words.length > maxNameWords ? undefined : soundOfName(words.map(({ word }) => word))
}

/** Returns whether a word is a part of a preceding word that contains a zero-width non-joiner. */
function isPart(index: number, words: { position: number; span: number }[]): boolean {
  const word = words[index]
  return words.slice(0, index).some(({ position, span }) => span > 1 && word && word.position < position + span)
}
