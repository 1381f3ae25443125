import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { foldTranscript } from '#engine/evaluate/fold-transcript.ts'
import { correctWords } from '#engine/speech/word-lists/correct-words.ts'
import { indexSpellings } from '#engine/speech/word-lists/listed-spellings.ts'
import type { UsedWordList } from '#engine/speech/word-lists/used-word-list.ts'
import { Segment } from '#contract/transcription.ts'
import { absenceOf } from '#testing/needs.ts'
import { chooseDecoys, chooseWords } from './names/choose-words.ts'
import {
  sumCounts,
  countText,
  createNameTally,
  otherErrorRate,
  recallOf,
  type ListedWordCounts,
} from './names/tally.ts'
import { corpora, corpusNames, readClips, type Clip, type Corpus } from './voices/clips.ts'
import { createBackends, findModel, transcribeFile } from './voices/product.ts'
import { createReport, percent, type Cells } from './voices/report.ts'

const usage = `Usage: npm run bench -- names --model ID --models-dir DIR [--languages en,ar,prs] [--clips N] [--words 40] [--decoys 40] [--seed 1]
  [--keep FILE | --transcripts FILE] [--whole-prompt] [--markdown]

--keep writes what was transcribed without a list, --transcripts reads that of an earlier run instead of transcribing it again.
--words is how many words of the references are listed, --decoys how many that nobody says. --whole-prompt also transcribes with all words
of the language as the prompt of everything, which the product does not do.`

const minRecallRatio = 1.5
const maxOtherPoints = 0.3

/** How clips are transcribed, in the order of the table. */
const ways = ['without a list', 'corrections alone', 'prompt and corrections', 'prompt of everything'] as const
type Way = (typeof ways)[number]

interface Transcribed {
  clip: Clip
  text: string
  segments: Segment[]
  cpuS: number
  seconds: number
}

const Kept = z.array(
  z.object({
    clip: z.object({ path: z.string() }),
    text: z.string(),
    segments: z.array(Segment),
    cpuS: z.number(),
    seconds: z.number(),
  }),
)

/** `npm run bench -- names`: recall of listed words, and errors in all other words, without a list and with one. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string' },
      'models-dir': { type: 'string', default: process.env.MODELS_DIR },
      languages: { type: 'string', default: 'en,ar,prs' },
      clips: { type: 'string', default: '1000' },
      words: { type: 'string', default: '40' },
      decoys: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'string' },
      transcripts: { type: 'string' },
      'whole-prompt': { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
    },
  })
  const absence = absenceOf('recordings')
  if (absence) throw new Error(absence)
  const modelsDir = values['models-dir']
  if (values.model === undefined || modelsDir === undefined) throw new Error(usage)
  const model = await findModel(values.model, modelsDir)
  const only = corpora.filter((corpus) => values.languages.split(',').includes(corpus))
  const clips = await readClips({ only, perCorpus: Number(values.clips) })
  const seed = Number(values.seed)
  const backends = createBackends()

  async function transcribeAll(
    what: string,
    options: (clip: Clip) => { wordLists?: UsedWordList[]; names?: string[] },
  ) {
    const all: Transcribed[] = []
    for (const clip of clips) {
      const { language, path } = clip
      const { result, cpuS, seconds } = await transcribeFile(path, { model, language, backends, ...options(clip) })
      all.push({ clip, text: result.transcription, segments: result.segments, cpuS, seconds })
      if (all.length % 20 === 0 || all.length === clips.length)
        console.error(`  … ${all.length} of ${clips.length} clips ${what}`)
    }
    return all
  }

  try {
    const plain = values.transcripts
      ? await readTranscripts(values.transcripts, clips)
      : await transcribeAll('without a list', () => ({}))
    if (values.keep) await writeFile(values.keep, JSON.stringify(plain))
    const texts = new Map(plain.map(({ clip, text }) => [clip.path, text]))
    const words = new Map<Corpus, string[]>()
    const decoys: string[] = []
    for (const [index, corpus] of only.entries()) {
      const own = clips.filter((clip) => clip.corpus === corpus)
      const shareOf = (total: string) => share(Number(total), only.length, index)
      words.set(corpus, chooseWords(own, texts, { count: shareOf(values.words), seed }))
      decoys.push(...(await chooseDecoys(corpus, clips, { count: shareOf(values.decoys), seed })))
    }
    const list = toList([...words.values()].flat(), decoys)
    const spellings = indexSpellings(list.words)
    const results: Partial<Record<Way, Transcribed[]>> = {
      'without a list': plain,
      'corrections alone': plain.map((each) => ({ ...each, text: correctText(each.segments, spellings) })),
      'prompt and corrections': await transcribeAll('with the list', () => ({ wordLists: [list] })),
    }
    if (values['whole-prompt'])
      results['prompt of everything'] = await transcribeAll('with all words as prompt', ({ corpus }) => ({
        names: words.get(corpus) ?? [],
      }))
    print(results, { words, isMarkdown: values.markdown, corpora: only, decoys: decoys.length })
  } finally {
    await backends.close()
  }
}

async function readTranscripts(path: string, clips: readonly Clip[]): Promise<Transcribed[]> {
  const kept = Kept.parse(JSON.parse(await readFile(path, 'utf8')))
  const byPath = new Map(kept.map((each) => [each.clip.path, each]))
  return clips.map((clip) => {
    const found = byPath.get(clip.path)
    if (!found) throw new Error(`${path} has no transcript of ${clip.path}`)
    return { ...found, clip }
  })
}

function share(total: number, parts: number, index: number): number {
  return Math.floor(total / parts) + (index < total % parts ? 1 : 0)
}

/** One list of a user who works in all the languages. */
function toList(words: string[], decoys: string[]): UsedWordList {
  const listed = [...words, ...decoys].map((word) => ({ word, heard_as: [] }))
  return { of: 'user', id: 'bench', revision: 1, words: listed }
}

/** Returns a text as an engine without prompts would write it. */
function correctText(segments: Segment[], spellings: ReturnType<typeof indexSpellings>): string {
  const lines = segments.map(({ words = [] }) =>
    correctWords(
      words.map(({ text, start, end, confidence = null }) => ({
        text,
        startMs: start * 1000,
        endMs: end * 1000,
        confidence,
      })),
      spellings,
    ),
  )
  return lines
    .flat()
    .map(({ text }) => text)
    .join(' ')
}

interface Shown {
  words: Map<Corpus, string[]>
  decoys: number
  corpora: Corpus[]
  isMarkdown: boolean
}

function print(
  results: Partial<Record<Way, Transcribed[]>>,
  { words, decoys, corpora: shown, isMarkdown }: Shown,
): void {
  const report = createReport({ isMarkdown })
  const listed = new Set([...words.values()].flat().map(foldTranscript))
  const rows: Record<string, Cells> = {}
  const totals: Partial<Record<Way, ListedWordCounts>> = {}
  for (const way of ways) {
    const all = results[way]
    if (!all) continue
    const tallies = shown.map((corpus) => {
      const own = all.filter(({ clip }) => clip.corpus === corpus)
      const tally = createNameTally()
      for (const { clip, text } of own) countText(tally, { reference: clip.transcript, text, listed })
      rows[`${corpusNames[corpus]}, ${way}`] = toCells(tally, own)
      return tally
    })
    totals[way] = sumCounts(tallies)
    rows[`All, ${way}`] = toCells(totals[way], all)
  }
  report.heading(
    `${listed.size} listed words that are said, ${decoys} that nobody says; errors of all other words in percent`,
  )
  report.table(rows)
  const [before, after] = [totals['without a list'], totals['prompt and corrections']]
  if (!before || !after) return
  const ratio = recallOf(after) / recallOf(before)
  const points = (otherErrorRate(after) - otherErrorRate(before)) * 100
  report.verdict(
    `recall ${ratio.toFixed(2)} times that without a list, at least ${minRecallRatio}`,
    ratio >= minRecallRatio,
  )
  report.verdict(
    `errors of other words ${points.toFixed(2)} points more, at most ${maxOtherPoints}`,
    points <= maxOtherPoints,
  )
}

function toCells(tally: ListedWordCounts, all: readonly Transcribed[]): Cells {
  const seconds = all.reduce((sum, each) => sum + each.seconds, 0)
  const cpuS = all.reduce((sum, each) => sum + each.cpuS, 0)
  return {
    clips: all.length,
    said: tally.said,
    recognized: tally.recognized,
    recall: percent(recallOf(tally)),
    'errors of others': percent(otherErrorRate(tally)),
    'CPU s per s': (cpuS / seconds).toFixed(3),
  }
}
