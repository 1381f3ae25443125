import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildCall } from './call-sound.ts'
import type { BuiltCall } from './call-sound.ts'
import { readClips, withFolder } from './clips.ts'
import type { Corpus } from './clips.ts'
import type { BenchContext } from './context.ts'
import type { FasterWhisper } from './faster-whisper.ts'
import { addFigures, measureLines } from './line-figures.ts'
import type { LineFigures } from './line-figures.ts'
import { transcribeFile, createBackends } from './product.ts'
import { percent, spread } from './report.ts'
import type { Cells, Report } from './report.ts'
import type { Line } from './reference.ts'

interface CallVariant {
  name: string
  corpora: Corpus[]
  minutes: number
  silentMinutes?: number
}

const variants: CallVariant[] = [
  { name: 'en-3', corpora: ['en'], minutes: 3 },
  { name: 'ar-3', corpora: ['ar'], minutes: 3 },
  { name: 'dari-3', corpora: ['prs'], minutes: 3 },
  { name: 'en-20', corpora: ['en'], minutes: 20 },
  { name: 'ar-20', corpora: ['ar'], minutes: 20 },
  { name: 'dari-20', corpora: ['prs', 'fa'], minutes: 20 },
  { name: 'en-18-with-10-silent', corpora: ['en'], minutes: 18, silentMinutes: 10 },
]

/** Maximum errors of a line's start, in milliseconds. */
const maxStartErrorMs = { median: 100, p95: 300, max: 1500 }

interface CallRun {
  figures: LineFigures
  cpuS: number
  seconds: number
}

/** Measures transcripts of synthetic calls: words, times and speakers. */
export async function measureCalls(context: BenchContext): Promise<void> {
  const { report, baseline } = context
  const chosen = variants.filter(
    ({ corpora, minutes }) => minutes <= context.minutes && corpora.some((corpus) => context.corpora.includes(corpus)),
  )
  const rows: Record<string, Cells> = {}
  const all: LineFigures[] = []
  await withFolder(async (temporary) => {
    const folder = context.keepDir ?? temporary
    await mkdir(folder, { recursive: true })
    for (const variant of chosen) {
      const call = await buildCall({ ...variant, folder, clips: await readClips({ only: variant.corpora }) })
      const own = await transcribeCall(call, variant, { ...context, folder })
      all.push(own.figures)
      rows[variant.name] = toCells(own)
      if (baseline)
        rows[`${variant.name}, faster-whisper`] = toCells(
          await transcribeByBaseline(call, { language: languageOf(variant.corpora), baseline }),
        )
      context.onProgress(`${variant.name}: ${percent(own.figures.wordErrors / own.figures.words)}%`)
    }
  })
  report.heading('Calls of two channels: errors in percent, times in ms, CPU seconds a second of call')
  report.table(rows)
  judge(addFigures(all), report)
}

async function transcribeCall(
  call: BuiltCall,
  { name, corpora }: CallVariant,
  { model, folder }: BenchContext & { folder: string },
): Promise<CallRun> {
  const backends = createBackends()
  try {
    const { result, lines, cpuS, seconds } = await transcribeFile(call.path, {
      model,
      language: languageOf(corpora),
      backends,
    })
    const figures = measureLines(lines, call.utterances)
    await writeFile(join(folder, `${name}-transcript.json`), JSON.stringify({ result, figures }, null, 1))
    return { figures, cpuS, seconds }
  } finally {
    await backends.close()
  }
}

/** Transcribes each whole channel separately, because faster-whisper takes mono only. */
export async function transcribeByBaseline(
  { channelPaths, utterances }: Pick<BuiltCall, 'channelPaths' | 'utterances'>,
  { language, hasDetector, baseline }: { language: string; hasDetector?: boolean; baseline: FasterWhisper },
): Promise<CallRun> {
  const lines: Line[] = []
  let cpuS = 0
  let seconds = 0
  for (const channel of [0, 1] as const) {
    const answer = await baseline.transcribe({ path: channelPaths[channel], language, hasDetector })
    for (const { start, end, text } of answer.segments) {
      lines.push({ channel, startMs: start * 1000, endMs: end * 1000, text })
    }
    cpuS += answer.cpuS
    seconds = answer.seconds
  }
  return {
    figures: measureLines(
      lines.toSorted((a, b) => a.startMs - b.startMs),
      utterances,
    ),
    cpuS,
    seconds,
  }
}

function languageOf(corpora: Corpus[]): 'en' | 'ar' | 'fa' {
  const [corpus = 'en'] = corpora
  return corpus === 'prs' ? 'fa' : corpus
}

function toCells({ figures, cpuS, seconds }: CallRun): Cells {
  const times = (edges: { errorMs: number }[]) => {
    const { median, p95, max } = spread(edges.map(({ errorMs }) => errorMs))
    return `${median} / ${p95} / ${max}`
  }
  return {
    lines: figures.lines,
    WER: percent(figures.words === 0 ? 0 : figures.wordErrors / figures.words),
    'starts med/p95/max': times(figures.starts),
    'ends med/p95/max': times(figures.ends),
    'starts compared': figures.starts.length,
    'pause > 0.8 s': figures.overPause.length,
    'pause > 2 s': figures.overLongPause.length,
    'other turn': figures.overTurn.length,
    'out of order': figures.outOfOrder.length,
    'wrong speaker': figures.wrongSpeaker.length,
    'words in silence': figures.inSilence.length,
    CPU: (cpuS / seconds).toFixed(3),
  }
}

function judge(figures: LineFigures, report: Report): void {
  const starts = spread(figures.starts.map(({ errorMs }) => errorMs))
  for (const [name, max] of Object.entries(maxStartErrorMs)) {
    const value = starts[name === 'median' || name === 'p95' ? name : 'max']
    report.verdict(`starts of lines, ${name}: ${value} ms, at most ${max}`, value <= max)
  }
  const none = (text: string, found: unknown[]) =>
    report.verdict(`${text}: ${found.length}, expected none`, found.length === 0)
  none('lines across a pause of more than 2 s', figures.overLongPause)
  none('lines that hold a turn of the other speaker', figures.overTurn)
  none('lines out of order', figures.outOfOrder)
  none('words of the wrong speaker', figures.wrongSpeaker)
}
