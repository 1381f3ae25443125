import { listSpellings, type NameSpellings } from './names.ts'

/** Decides whether a text is found by a query; what is computed for each is cached. */
export interface SearchMethod {
  name: string
  isFound(query: string, text: string): boolean
}

/** How well other spellings are found among all spellings of the same names. */
export interface SearchScore {
  recall: number
  precision: number
  crossRecall: { same: number; other: number }
  mistakes: string[]
}

const arabicLetter = /\p{Script=Arabic}/u

/** Looks for each spelling among all others. Two spellings belong to one name if any name has both. */
export function scoreMethod(method: Pick<SearchMethod, 'isFound'>, names: readonly NameSpellings[]): SearchScore {
  const spellings = listSpellings(names)
  const namesOf = new Map<string, Set<number>>(spellings.map((spelling) => [spelling, new Set()]))
  for (const [index, name] of names.entries()) for (const spelling of name) namesOf.get(spelling)?.add(index)
  const tally = { same: { wanted: 0, found: 0 }, other: { wanted: 0, found: 0 }, wrong: 0 }
  const mistakes: string[] = []
  for (const query of spellings) {
    for (const text of spellings) {
      if (text === query) continue
      const others = namesOf.get(text)
      const isOfOneName = [...(namesOf.get(query) ?? [])].some((name) => others?.has(name))
      const isFound = method.isFound(query, text)
      const scripts = arabicLetter.test(query) === arabicLetter.test(text) ? tally.same : tally.other
      if (isOfOneName) {
        scripts.wanted += 1
        scripts.found += isFound ? 1 : 0
      } else if (isFound) tally.wrong += 1
      if (isOfOneName !== isFound) mistakes.push(`${isFound ? 'wrong ' : 'missed'} ${query} → ${text}`)
    }
  }
  const found = tally.same.found + tally.other.found
  return {
    recall: found / (tally.same.wanted + tally.other.wanted),
    precision: found / (found + tally.wrong),
    crossRecall: { same: tally.same.found / tally.same.wanted, other: tally.other.found / tally.other.wanted },
    mistakes,
  }
}
