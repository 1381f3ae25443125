import { parseArgs } from 'node:util'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { absenceOf } from '#testing/needs.ts'
import { chooseKeywordLists } from './nearly-heard/choose-keywords.ts'
import { scoreHits, type KeywordCounts } from './nearly-heard/score-hits.ts'
import { buildCall } from './voices/call-sound.ts'
import { corpora, corpusNames, readClips, withFolder, type Corpus } from './voices/clips.ts'
import { applyCondition, findConditions, type CallCondition } from './voices/conditions.ts'
import { createBackends, findModel, transcribeFile } from './voices/product.ts'
import { createReport, percent, type Cells } from './voices/report.ts'

const usage = `Usage: npm run bench -- nearly-heard --model ID --models-dir DIR [--languages prs,ar,en] [--conditions NAME,…] [--minutes 4] [--lists 3]
  [--length 80] [--seed 1] [--markdown]

A call of each language in each condition is transcribed without keywords and with each list of them. Half of a list is said in the call.`

const thresholds = [0.8, 0.85, 0.9, 0.95]
/** The default minimum probability, which a person may lower, and the targets at that value. */
const target = { probability: 0.95, points: 10, falseAlarms: 1, cpuShare: 0.05 }

interface Tally {
  counts: KeywordCounts
  /** Hours of audio, for all lists together. */
  hours: number
  withoutCpuS: number
  withCpuS: number
  changedTexts: number
}

/** `npm run bench -- nearly-heard`: recall of keywords with and without what was nearly heard, false alarms per hour, CPU time. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string' },
      'models-dir': { type: 'string', default: process.env.MODELS_DIR },
      languages: { type: 'string', default: 'prs,ar,en' },
      conditions: { type: 'string', default: 'clean,-20,room noise,µ-law' },
      minutes: { type: 'string', default: '4' },
      lists: { type: 'string', default: '3' },
      length: { type: 'string', default: '80' },
      seed: { type: 'string', default: '1' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const absence = absenceOf('recordings')
  if (absence) throw new Error(absence)
  const modelsDir = values['models-dir']
  if (values.model === undefined || modelsDir === undefined) throw new Error(usage)
  const options: MeasureOptions = {
    model: await findModel(values.model, modelsDir),
    conditions: findConditions(values.conditions.split(',')),
    minutes: Number(values.minutes),
    draw: { lists: Number(values.lists), length: Number(values.length), seed: Number(values.seed) },
  }
  const tallies = new Map<string, Tally>()
  for (const corpus of corpora.filter((each) => values.languages.split(',').includes(each))) {
    tallies.set(corpusNames[corpus], await measureCorpus(corpus, options))
  }
  print(tallies, values.markdown)
}

interface MeasureOptions {
  model: Awaited<ReturnType<typeof findModel>>
  conditions: readonly CallCondition[]
  minutes: number
  draw: { lists: number; length: number; seed: number }
}

async function measureCorpus(corpus: Corpus, { model, conditions, minutes, draw }: MeasureOptions): Promise<Tally> {
  const clips = await readClips({ only: [corpus] })
  const language = clips[0]?.language ?? 'en'
  const lists = await chooseKeywordLists(corpus, clips, draw)
  const tally: Tally = {
    counts: { said: 0, certain: 0, hits: [] },
    hours: 0,
    withoutCpuS: 0,
    withCpuS: 0,
    changedTexts: 0,
  }
  const backends = createBackends()
  try {
    await withFolder(async (folder) => {
      const call = await buildCall({ name: 'call', folder, clips, minutes, seed: draw.seed })
      for (const condition of conditions) {
        const { path } = await applyCondition(call.path, condition, folder)
        const transcribe = (keywords?: string[]) =>
          transcribeFile(path, { model, language, backends, ...(keywords && { keywordsOf: () => keywords }) })
        // The first run also loads the model.
        if (tally.hours === 0) await transcribe()
        const plain = await transcribe()
        for (const keywords of lists) {
          const { result, lines, cpuS, seconds } = await transcribe(keywords)
          const transcript = { lines, possibleHits: result.possible_hits ?? [] }
          const counts = scoreHits(transcript, call.utterances, new Set(keywords.flatMap(foldedWords)))
          tally.counts.said += counts.said
          tally.counts.certain += counts.certain
          tally.counts.hits.push(...counts.hits)
          tally.hours += seconds / 3600
          tally.withoutCpuS += plain.cpuS
          tally.withCpuS += cpuS
          if (JSON.stringify(result.segments) !== JSON.stringify(plain.result.segments)) tally.changedTexts += 1
        }
        console.error(`  … ${corpusNames[corpus]}, ${condition.name}`)
      }
    })
  } finally {
    await backends.close()
  }
  return tally
}

function print(tallies: ReadonlyMap<string, Tally>, isMarkdown: boolean): void {
  const report = createReport({ isMarkdown })
  for (const [name, tally] of tallies) {
    const { said, certain, hits } = tally.counts
    const rows = thresholds.map((threshold): [string, Cells] => {
      const shown = hits.filter(({ probability }) => probability >= threshold)
      const count = (kind: string) => shown.filter((hit) => hit.kind === kind).length
      const hourly = (kind: string) => (count(kind) / tally.hours).toFixed(1)
      return [
        `from ${threshold}`,
        {
          'said and in the transcript, %': percent(certain / said),
          'with possible hits, %': percent((certain + count('said')) / said),
          'false alarms an hour': hourly('false'),
          'another form was said, an hour': hourly('other form'),
        },
      ]
    })
    report.heading(`${name}: ${said} occurrences of keywords in ${(tally.hours * 60).toFixed(0)} minutes`)
    report.table(Object.fromEntries(rows))
    const extra = tally.withCpuS / tally.withoutCpuS - 1
    const shown = hits.filter(({ probability }) => probability >= target.probability)
    const points = (100 * shown.filter(({ kind }) => kind === 'said').length) / said
    const alarms = shown.filter(({ kind }) => kind === 'false').length / tally.hours
    report.verdict(`${points.toFixed(1)} points of recall, expected ${target.points}`, points >= target.points)
    report.verdict(
      `${alarms.toFixed(1)} false alarms an hour, expected at most ${target.falseAlarms}`,
      alarms <= target.falseAlarms,
    )
    report.verdict(
      `${percent(extra)}% more CPU time, expected at most ${percent(target.cpuShare)}%`,
      extra <= target.cpuShare,
    )
    report.verdict(`transcripts that differ: ${tally.changedTexts}, expected none`, tally.changedTexts === 0)
  }
}
