import type { TranslationModel } from '#engine/models/model-entry.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import type { Translator } from '#engine/translation/llama.ts'
import { translateText } from '#engine/translation/translate-text.ts'
import { languages, readSentences } from './material.ts'
import type { Language, Parallel, Sentences } from './material.ts'

export interface Share {
  name: string
  right: number
  of: number
}

interface Task {
  text: string
  expected: string
  source: Language
  target: Language
}

const pairs = languages.flatMap((source) =>
  languages.filter((target) => target !== source).map((target) => ({ source, target })),
)

/** Measures how often a translation matches the expected one character by character. */
export async function measureTranslation(options: {
  model: TranslationModel
  threads: number
  onProgress: (done: string) => void
}): Promise<Share[]> {
  const sentences = await readSentences()
  const translator = await startTranslator({ model: options.model, threads: options.threads })
  try {
    const shares: Share[] = []
    for (const [name, tasks] of Object.entries(planTasks(sentences))) {
      let right = 0
      for (const task of tasks) right += (await isExact(translator, task)) ? 1 : 0
      shares.push({ name, right, of: tasks.length })
      options.onProgress(name)
    }
    return shares
  } finally {
    await translator.close()
  }
}

function planTasks({ singles, written, unknownWords, unknownTexts }: Sentences): Record<string, Task[]> {
  const everyPair = (rows: Parallel[]) => rows.flatMap((row) => pairs.map((pair) => joined([row], pair)))
  // One direction a row, each direction equally often.
  const onePair = (rows: Parallel[][], separator = ' ') =>
    rows.flatMap((row, index) =>
      pairs.slice(index % pairs.length, (index % pairs.length) + 1).map((pair) => joined(row, pair, separator)),
    )
  const texts = (count: number, size: (index: number) => number) =>
    Array.from({ length: count }, (_, index) =>
      Array.from(
        { length: size(index) },
        (_, k) => (index % 3 === 0 ? written : singles)[(index * 7 + k * 11) % singles.length],
      ).flatMap((row) => row ?? []),
    )
  const some = texts(100, (index) => 2 + (index % 3))
  return {
    'single sentences, 20 directions': everyPair(singles),
    'the same with capitals and end marks': onePair(written.flatMap((row) => [[row], [row], [row]])),
    'texts of 2 to 4 sentences': onePair(some),
    'texts of 2 to 4 lines': onePair(some, '\n'),
    'texts of 12 sentences': onePair(texts(40, () => 12)),
    'sentences with unknown words': onePair(unknownWords.map((row) => [row])),
    'texts of unknown words only': unknownTexts.flatMap((text, index) =>
      pairs.slice(index % pairs.length, (index % pairs.length) + 1).map((pair) => ({ text, expected: text, ...pair })),
    ),
  }
}

function joined(rows: Parallel[], pair: { source: Language; target: Language }, separator = ' '): Task {
  const text = rows.map((row) => row[pair.source]).join(separator)
  return { text, expected: rows.map((row) => row[pair.target]).join(separator), ...pair }
}

async function isExact(translator: Translator, { text, expected, source, target }: Task): Promise<boolean> {
  try {
    const result = await translateText({ text, sourceLanguage: source, targetLanguage: target, translator })
    return result.translated_text === expected
  } catch {
    // A refused translation counts as wrong.
    return false
  }
}
