import { splitWords, type TextWord } from '../search-words.ts'
import { mayBeOneName } from './name-parts.ts'
import { soundOf, type NameSound } from './name-sound.ts'
import { isOrdinaryWord } from './ordinary-words.ts'

/** A possible name in a text: one folded word, or several consecutive ones. */
export type NameForm = readonly string[]

/** The maximum number of words that form one name: Abd al-Rahman. */
export const maxNameWords = 3

/** Returns the possible names in a text, each once. */
export function listNameForms(text: string, words: readonly TextWord[] = splitWords(text)): NameForm[] {
  const forms = new Map<string, NameForm>()
  const add = (form: NameForm) => void forms.set(form.join(' '), form)
  for (const { word } of words) add([word])
  const whole = withoutParts(words)
  for (const index of whole.keys()) {
    for (let length = 2; length <= maxNameWords; length++) {
      const run = whole.slice(index, index + length)
      if (run.length < length || !isOneName(text, run)) break
      add(run.map(({ word }) => word))
    }
  }
  return [...forms.values()]
}

/** Returns how a form sounds; undefined for ordinary words and for words that cannot be a name. */
export function soundOfName(form: NameForm): NameSound | undefined {
  const [only = ''] = form
  return form.length === 1 && isOrdinaryWord(only) ? undefined : soundOf(form)
}

/** Leaves out the parts of words with a zero-width non-joiner, which follow the whole word. */
function withoutParts(words: readonly TextWord[]): TextWord[] {
  const whole: TextWord[] = []
  for (let index = 0; index < words.length;) {
    const word = words[index]
    if (!word) break
    whole.push(word)
    index += word.span > 1 ? word.span + 1 : 1
  }
  return whole
}

function isOneName(text: string, run: TextWord[]): boolean {
  return run.every(({ word, start }, index) => {
    const previous = run[index - 1]
    if (!previous) return true
    return mayBeOneName({ first: previous.word, second: word, between: text.slice(previous.end, start) })
  })
}
