import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { splitWords } from '#contract/search-words.ts'

/** The spellings of a name. */
export type NameSpellings = string[]

export async function readNames(): Promise<NameSpellings[]> {
  const text = await readFile(join(import.meta.dirname, 'names.txt'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => [...new Set(line.split(',').map((spelling) => spelling.trim()))])
}

/** Divides names by a hash of their first spelling: the rules were developed on one half and are measured on the other. */
export function splitInHalves(names: NameSpellings[]): { development: NameSpellings[]; heldOut: NameSpellings[] } {
  const isHeldOut = ([first = '']: NameSpellings) => ((createHash('sha256').update(first).digest()[0] ?? 0) & 1) === 1
  const { heldOut = [], development = [] } = Object.groupBy(names, (name) =>
    isHeldOut(name) ? 'heldOut' : 'development',
  )
  return { development, heldOut }
}

export function listSpellings(names: readonly NameSpellings[]): string[] {
  return [...new Set(names.flat())]
}

/** Returns the folded words of a spelling. A word that contains a zero-width non-joiner is not split. */
export function wordsOf(spelling: string): string[] {
  let covered = -1
  return splitWords(spelling).flatMap(({ word, position, span }) => {
    if (position < covered) return []
    covered = position + span
    return [word]
  })
}
