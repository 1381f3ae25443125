import { readFile } from 'node:fs/promises'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'

const wordCount = 200
/** Words of up to three letters are found only as written, whatever the option says. */
const minLetters = 4

interface Line {
  language: string
  reference: string
  text: string
}

/** Number of occurrences, of those found, and of false alarms. */
interface Tally {
  said: number
  found: number
  falseAlarms: number
}

/**
 * Draws 200 words of four or more letters from references and finds them in transcripts, as written and with "sounds like": recall and
 * false alarms. `paths` are files written by `awaz evaluate --lines`.
 */
export async function measureRealText(paths: readonly string[]): Promise<void> {
  const lines = (await Promise.all(paths.map(readLines))).flat()
  const keywords = drawKeywords(lines)
  const rows: Record<string, Record<string, string | number>> = {}
  const languages = [...new Set(lines.map(({ language }) => language))]
  for (const language of ['all', ...languages]) {
    const own = keywords.filter((keyword) => language === 'all' || keyword.language === language)
    const wordCount = lines
      .filter((line) => language === 'all' || line.language === language)
      .reduce((sum, { text }) => sum + foldedWords(text).length, 0)
    for (const isSimilar of [false, true]) {
      const { said, found, falseAlarms } = tally(own, lines, { isSimilar })
      rows[`${language}, ${isSimilar ? 'sounds like' : 'as written'}`] = {
        keywords: own.length,
        said,
        found,
        'recall, %': ((100 * found) / Math.max(1, said)).toFixed(1),
        'false alarms': falseAlarms,
        'words heard': wordCount,
      }
    }
  }
  console.table(rows)
}

interface DrawnKeyword {
  language: string
  word: string
}

/** Draws distinct folded words with equal probability. */
function drawKeywords(lines: readonly Line[]): DrawnKeyword[] {
  const words = lines.flatMap(({ language, reference }) =>
    foldedWords(reference)
      .filter((word) => word.length >= minLetters)
      .map((word) => `${language}\t${word}`),
  )
  const distinct = [...new Set(words)].toSorted()
  const random = seededRandom(15)
  return Array.from({ length: Math.min(wordCount, distinct.length) }, () => {
    const [drawn = ''] = distinct.splice(Math.floor(random() * distinct.length), 1)
    const [language = '', word = ''] = drawn.split('\t')
    return { language, word }
  })
}

/** Counts each keyword separately, in the lines of its language. */
function tally(keywords: DrawnKeyword[], lines: readonly Line[], { isSimilar }: { isSimilar: boolean }): Tally {
  const sum: Tally = { said: 0, found: 0, falseAlarms: 0 }
  for (const { language, word } of keywords) {
    const find = createKeywordMatcher({ ...noKeywords(), custom: [word], sounds_like: isSimilar ? [word] : [] })
    for (const line of lines.filter((other) => other.language === language)) {
      const said = foldedWords(line.reference).filter((other) => other === word).length
      const hits = find(line.text).length
      sum.said += said
      sum.found += Math.min(said, hits)
      sum.falseAlarms += Math.max(0, hits - said)
    }
  }
  return sum
}

async function readLines(path: string): Promise<Line[]> {
  const [, ...rows] = (await readFile(path, 'utf8')).trimEnd().split('\n')
  return rows.map((row) => {
    const [, , language = '', reference = '', text = ''] = row.split('\t')
    return { language, reference, text }
  })
}
