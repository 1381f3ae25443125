import { corpusChrf } from '#engine/evaluate/chrf.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { availableThreads } from '#engine/threads.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import { translateSegments } from '#engine/translation/translate.ts'
import { readNews } from './news-lines.ts'

/**
 * Prints chrF of a model for each pair, and how many lines have a translation. A line without one counts as an empty text,
 * which lowers the score.
 */
export async function measureNews({
  model,
  pairs,
  lines,
}: {
  model: TranslationModel
  pairs: string[]
  lines: number
}) {
  const translator = await startTranslator({ model, threads: availableThreads() })
  console.log(`${model.name}, ${lines} lines a pair\npair   chrF  translated  not translated  s a line`)
  try {
    for (const pair of pairs) {
      const [source = '', target = ''] = pair.split('-')
      const [texts, references] = await Promise.all([readNews(source, lines), readNews(target, lines)])
      const segments = texts.map((text, index) => ({ start: index, end: index + 1, text }))
      const startedAt = performance.now()
      const done = await translateSegments({ segments, sourceLanguage: source, targetLanguage: target, translator })
      const seconds = (performance.now() - startedAt) / 1000 / lines
      const chrf = corpusChrf(
        done.map((line, at) => ({ hypothesis: line.translated_text, reference: references[at] ?? '' })),
      )
      const failed = done.filter(({ error }) => error !== null).length
      const cells = [chrf.toFixed(1).padStart(5), String(lines - failed).padStart(10), String(failed).padStart(14)]
      console.log([pair, ...cells, seconds.toFixed(2).padStart(8)].join('  '))
    }
  } finally {
    await translator.close()
  }
}
