import { editDistance } from '#contract/edit-distance.ts'
import { foldedWords, foldTranscript } from '#engine/evaluate/fold-transcript.ts'
import type { SpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { corpusNames, readClips } from './clips.ts'
import type { Clip, Corpus } from './clips.ts'
import type { BenchContext } from './context.ts'
import { transcribeFile, createBackends } from './product.ts'
import { percent } from './report.ts'
import type { Cells, Report } from './report.ts'

/** Target word error rates of Whisper base in percent, and how far they may be above those of faster-whisper in the same run. */
const targets: Record<Corpus, number> = { en: 7, ar: 45, fa: 113, prs: 80 }
const maxAboveBaseline = 1

/** Errors of one recogniser over the clips of a language. */
interface Tally {
  words: number
  wordErrors: number
  letters: number
  letterErrors: number
  cpuS: number
  seconds: number
}

interface ClipsTally {
  clips: number
  own: Tally
  /** Errors of faster-whisper, if it takes part. */
  other: Tally | undefined
}

interface CorpusTally extends ClipsTally {
  corpus: Corpus
}

/** Measures WER, CER and CPU time of each clip by itself, with its language given. */
export async function measureClips(context: BenchContext): Promise<void> {
  const tallies: CorpusTally[] = []
  const backends = createBackends()
  try {
    for (const corpus of context.corpora) {
      const clips = await readClips({ only: [corpus], perCorpus: context.clips })
      // Transcribes the first clip twice, so that no measurement includes loading the model.
      if (clips[0]) await transcribeFile(clips[0].path, { model: context.model, language: clips[0].language, backends })
      const tally = { corpus, clips: clips.length, own: createTally(), other: context.baseline && createTally() }
      for (const clip of clips) await measureClip(clip, tally, { ...context, backends })
      tallies.push(tally)
      context.onProgress(`${clips.length} clips in ${corpusNames[corpus]}: ${percent(rate(tally.own))}%`)
    }
  } finally {
    await backends.close()
  }
  const { report } = context
  report.heading('Clips with their language given: errors in percent, CPU seconds a second of sound')
  const rows: [string, Cells][] = tallies.map((tally) => [
    corpusNames[tally.corpus],
    toCells(tally, targets[tally.corpus]),
  ])
  if (tallies.length > 1) rows.push(['All clips', toCells(addUp(tallies), '-')])
  report.table(Object.fromEntries(rows))
  for (const tally of tallies) judge(tally, report)
}

async function measureClip(
  clip: Clip,
  { own, other }: CorpusTally,
  { model, backends, baseline }: Pick<BenchContext, 'model' | 'baseline'> & { backends: SpeechBackendCache },
): Promise<void> {
  const { result, cpuS, seconds } = await transcribeFile(clip.path, { model, language: clip.language, backends })
  count(own, clip, { text: result.transcription, cpuS, seconds })
  const answer = await baseline?.transcribe(clip)
  if (answer && other) count(other, clip, { ...answer, text: answer.segments.map(({ text }) => text).join(' ') })
}

function judge({ corpus, own, other }: CorpusTally, report: Report): void {
  const name = corpusNames[corpus]
  report.verdict(`${name}: ${percent(rate(own))}%, at most ${targets[corpus]}%`, rate(own) * 100 <= targets[corpus])
  if (!other) return
  const above = (rate(own) - rate(other)) * 100
  report.verdict(
    `${name}: ${above.toFixed(1)} points above faster-whisper, at most ${maxAboveBaseline}`,
    above <= maxAboveBaseline,
  )
}

function addUp(tallies: readonly ClipsTally[]): ClipsTally {
  const clips = tallies.reduce((sum, tally) => sum + tally.clips, 0)
  const others = tallies.flatMap(({ other }) => other ?? [])
  const own = sumOf(tallies.map((tally) => tally.own))
  return { clips, own, other: others.length > 0 ? sumOf(others) : undefined }
}

function sumOf(tallies: readonly Tally[]): Tally {
  const total = createTally()
  for (const tally of tallies) {
    total.words += tally.words
    total.wordErrors += tally.wordErrors
    total.letters += tally.letters
    total.letterErrors += tally.letterErrors
    total.cpuS += tally.cpuS
    total.seconds += tally.seconds
  }
  return total
}

function createTally(): Tally {
  return { words: 0, wordErrors: 0, letters: 0, letterErrors: 0, cpuS: 0, seconds: 0 }
}

function count(tally: Tally, clip: Clip, transcribed: { text: string; cpuS: number; seconds: number }): void {
  const said = foldedWords(clip.transcript)
  tally.words += said.length
  tally.wordErrors += editDistance(said, foldedWords(transcribed.text))
  const letters = [...foldTranscript(clip.transcript)]
  tally.letters += letters.length
  tally.letterErrors += editDistance(letters, [...foldTranscript(transcribed.text)])
  tally.cpuS += transcribed.cpuS
  tally.seconds += transcribed.seconds
}

function rate({ words, wordErrors }: Tally): number {
  return words === 0 ? 0 : wordErrors / words
}

function toCells({ clips, own, other }: ClipsTally, target: number | '-'): Cells {
  const cer = ({ letters, letterErrors }: Tally) => percent(letters === 0 ? 0 : letterErrors / letters)
  const cpu = ({ cpuS, seconds }: Tally) => (cpuS / seconds).toFixed(3)
  const cells = { clips, WER: percent(rate(own)), target, CER: cer(own), CPU: cpu(own) }
  if (!other) return cells
  return { ...cells, 'faster-whisper WER': percent(rate(other)), 'its CER': cer(other), 'its CPU': cpu(other) }
}
