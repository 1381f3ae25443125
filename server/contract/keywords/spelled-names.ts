import { mayBeOneName } from '../name-sounds/name-parts.ts'
import { compareNames, type NameSound } from '../name-sounds/name-sound.ts'
import { maxNameWords, soundOfName } from '../name-sounds/names-in-text.ts'
import { searchKeys, storedKeys } from '../name-sounds/sound-key.ts'
import { foldKeyword, type FoldedText } from './fold.ts'
import type { SimilarCandidate, SimilarKeyword, TextWord } from './similar.ts'
import { isWholeWord } from './word-edges.ts'

interface SpelledKeyword extends SimilarKeyword {
  sound: NameSound
}

/** Latin words of three letters sound like too many others; Arabic script leaves out vowels. */
const minLatinLetters = 4
const latinWord = /^[a-z ]+$/u

/** Returns how a keyword sounds; undefined for what can be no name, or sounds like too much else. */
export function soundOfKeyword(keyword: string): NameSound | undefined {
  const folded = foldKeyword(keyword)
  const words = folded.split(' ')
  if (words.length > maxNameWords || words.some(({ length }) => length < 3)) return undefined
  return latinWord.test(folded) && folded.length < minLatinLetters ? undefined : soundOfName(words)
}

/** Returns a function that finds other spellings of the keywords that may be names. What each form of a name matches is looked up once. */
export function createNameFinder(
  keywords: readonly SimilarKeyword[],
): (text: FoldedText, words: TextWord[]) => SimilarCandidate[] {
  const byKey = new Map<string, SpelledKeyword[]>()
  for (const { category, keyword } of keywords) {
    const sound = soundOfKeyword(keyword)
    if (!sound) continue
    for (const key of searchKeys(sound)) byKey.set(key, [...(byKey.get(key) ?? []), { category, keyword, sound }])
  }
  const known = new Map<string, { entry: SpelledKeyword; distance: number }[]>()

  function matchesOf(form: string[]) {
    const name = form.join(' ')
    let matches = known.get(name)
    if (!matches) {
      const sound = soundOfName(form)
      const candidates = sound ? new Set(storedKeys(sound).flatMap((key) => byKey.get(key) ?? [])) : []
      matches = [...candidates].flatMap((entry) => {
        const distance = sound && compareNames(entry.sound, sound)
        // Never 0, which is a keyword as written; below the 1 of a word with another letter.
        return distance === undefined ? [] : [{ entry, distance: Math.min(0.99, (distance + 1) / 100) }]
      })
      known.set(name, matches)
    }
    return matches
  }

  return (text, words) => {
    if (byKey.size === 0) return []
    return words.flatMap((first, index) =>
      listRuns(text, words, index).flatMap((run) => {
        const [from, to] = [first.from, run.at(-1)?.to ?? first.to]
        if (!isWholeWord(text, from, to)) return []
        const matches = matchesOf(run.map(({ folded }) => folded))
        return matches.map(({ entry: { category, keyword }, distance }) => ({ category, keyword, from, to, distance }))
      }),
    )
  }
}

/** Returns the word at an index, and the runs of words from there that may be one name. */
function listRuns({ units }: FoldedText, words: TextWord[], index: number): TextWord[][] {
  const runs: TextWord[][] = []
  let run: TextWord[] = []
  for (const word of words.slice(index, index + maxNameWords)) {
    const previous = run.at(-1)
    const between = previous ? String.fromCharCode(...units.slice(previous.to, word.from)) : ''
    if (previous && !mayBeOneName({ first: previous.folded, second: word.folded, between })) break
    run = [...run, word]
    runs.push(run)
  }
  return runs
}
