import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { realDataDir } from '#testing/real-data.ts'
import { absenceOf } from '#testing/needs.ts'
import { createSearchMethods } from './spellings/search-methods.ts'
import { listSpellings, readNames, splitInHalves, type NameSpellings } from './spellings/names.ts'
import { measureFalseAlarms, measureSentences, newsLanguages, readNews } from './spellings/news.ts'
import { scoreMethod, type SearchScore, type SearchMethod } from './spellings/score.ts'
import { createReport, percent } from './voices/report.ts'

const minRecall = 0.95
const minPrecision = 0.9

/**
 * `npm run bench -- spellings [--list] [--markdown]`: how many other spellings of a name, and how many wrong matches, are found by the word
 * search, by character trigrams and by sound. Each spelling in names.txt is looked for among all spellings of its half of the names and, if
 * there is a copy, in news in six languages. --list prints what is missed or wrongly found in the development half.
 */
export async function run(args: string[]): Promise<void> {
  const options = { list: { type: 'boolean', default: false }, markdown: { type: 'boolean', default: false } } as const
  const { values } = parseArgs({ args, options })
  const report = createReport({ isMarkdown: values.markdown })
  const { development, heldOut } = splitInHalves(await readNames())
  const methods = createSearchMethods(development)
  const scores = new Map<string, SearchScore>()
  for (const [half, names] of Object.entries({ development, 'held out': heldOut })) {
    report.heading(`${half}: ${names.length} names in ${listSpellings(names).length} spellings`)
    const rows = methods.map((method) => [method.name, scoreMethod(method, names)] as const)
    for (const [name, score] of rows) scores.set(`${half} ${name}`, score)
    report.table(Object.fromEntries(rows.map(([name, score]) => [name, toCells(score)])))
  }
  await printNews(methods, { development, heldOut }, report)
  const score = scores.get('held out by sound')
  if (score) {
    report.verdict(
      `recall ${percent(score.recall)} of the held-out half, at least ${percent(minRecall)}`,
      score.recall >= minRecall,
    )
    report.verdict(
      `precision ${percent(score.precision)} of the held-out half, at least ${percent(minPrecision)}`,
      score.precision >= minPrecision,
    )
  }
  if (values.list) for (const line of scores.get('development by sound')?.mistakes ?? []) console.log(line)
}

function toCells({ recall, precision, crossRecall }: SearchScore) {
  return {
    recall: percent(recall),
    precision: percent(precision),
    'recall, same script': percent(crossRecall.same),
    'recall, other script': percent(crossRecall.other),
  }
}

async function printNews(
  methods: SearchMethod[],
  { development, heldOut }: { development: NameSpellings[]; heldOut: NameSpellings[] },
  report: ReturnType<typeof createReport>,
): Promise<void> {
  const absence = absenceOf('recordings')
  if (absence) return console.log(absence)
  const news = await readNews(join(realDataDir, 'translation'))
  report.heading(
    'words of the news found by the spelling of a name, which are not its spelling (some are its name all the same)',
  )
  report.table(
    Object.fromEntries(
      methods.flatMap((method) =>
        Object.entries({ development, 'held out': heldOut }).map(([half, names]) => {
          const { words, tokens } = measureFalseAlarms(method, news, names)
          return [
            `${method.name}, ${half}`,
            { 'words a spelling': words.toFixed(2), 'places a spelling': tokens.toFixed(2) },
          ]
        }),
      ),
    ),
  )
  const sentences = measureSentences(methods, news)
  report.heading(
    `${sentences.names} capitalized words within English sentences of the news: how often the sentence in another language has them, and ` +
      'how many other sentences do whose English has not',
  )
  report.table(
    Object.fromEntries(
      sentences.rows.map(({ method, found, others }) => [
        method,
        {
          ...Object.fromEntries(newsLanguages.map((language) => [language, percent(found[language] ?? 0)])),
          'others a name': others.toFixed(2),
        },
      ]),
    ),
  )
}
