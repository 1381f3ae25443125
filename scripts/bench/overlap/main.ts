import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { decodeAudio } from '#engine/audio/decode.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { readTreeCpu } from '#engine/evaluate/process-tree.ts'
import { writeWav } from '#testing/audio.ts'
import { absenceOf } from '#testing/needs.ts'
import { withFolder } from '../voices/clips.ts'
import { createReport, percent } from '../voices/report.ts'
import type { Cells, Report } from '../voices/report.ts'
import { detectInProcess } from './detect.ts'
import { mixPair, readPairs } from './pairs.ts'
import type { VoicePair } from './pairs.ts'
import { addScores, scoreChannel } from './score.ts'
import type { BleedScore } from './score.ts'
import { measureWords } from './words.ts'

const bleedsDb = [null, -15, -20, -25, -30, -35]
/** Boundaries of speech are not known more precisely than this. */
const collarMs = 250
/** Shares of time. */
const targets = { takenOut: 0.01, kept: 0.02, keptAtDb: -20 }

interface Result {
  pair: VoicePair
  bleedDb: number | null
  score: BleedScore
}

/**
 * `npm run bench -- overlap [--pairs N] [--keep DIR] [--markdown]`: pairs of people on two channels who speak at once for between
 * none and all of the time and are heard in each other's channel. Prints how much of their own speech is taken out as bleed, and how much
 * bleed is kept. Needs no weights; docs/accuracy.md has the definitions.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pairs: { type: 'string', default: '40' },
      keep: { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const absence = absenceOf('recordings')
  if (absence) throw new Error(absence)
  const report = createReport({ isMarkdown: values.markdown })
  const pairs = await readPairs(Number(values.pairs))
  const results: Result[] = []
  for (const pair of pairs) {
    results.push(...(await measurePair(pair)))
    console.error(`  … ${pair.name}`)
  }
  if (values.keep)
    await writeFile(join(values.keep, 'overlap.json'), JSON.stringify(results.map(withoutSound), null, 1))
  reportResults(report, results)
  await measureCost(report, pairs)
  await measureWords(report)
}

async function measurePair(pair: VoicePair): Promise<Result[]> {
  const alone = mixPair(pair, null)
  const own = [(await detectInProcess([alone[0]]))[0] ?? [], (await detectInProcess([alone[1]]))[0] ?? []] as const
  const results: Result[] = []
  for (const bleedDb of bleedsDb) {
    const found = await detectInProcess(mixPair(pair, bleedDb))
    const score = addScores(
      [0, 1].map((channel) =>
        scoreChannel(found[channel] ?? [], { own: own[channel] ?? [], other: own[1 - channel] ?? [], collarMs }),
      ),
    )
    results.push({ pair, bleedDb, score })
  }
  return results
}

function withoutSound({ pair, bleedDb, score }: Result) {
  const { name, overlap, levelDifferenceDb, delayMs } = pair
  return { name, overlap, levelDifferenceDb, delayMs, bleedDb, score }
}

function reportResults(report: Report, results: readonly Result[]): void {
  report.heading('By level of the bleed')
  const rowOf = (name: string, isIn: (result: Result) => boolean): [string, Cells] => [
    name,
    toCells(addScores(results.filter(isIn).map(({ score }) => score))),
  ]
  report.table(
    Object.fromEntries(bleedsDb.map((db) => rowOf(db === null ? 'none' : `${db} dB`, ({ bleedDb }) => bleedDb === db))),
  )
  report.heading('By overlap, all levels of bleed')
  const overlaps = [...new Set(results.map(({ pair }) => pair.overlap))]
  report.table(
    Object.fromEntries(overlaps.map((share) => rowOf(`${share * 100}%`, ({ pair }) => pair.overlap === share))),
  )
  report.heading('By difference of the voices, all levels of bleed')
  const differences = [...new Set(results.map(({ pair }) => pair.levelDifferenceDb))]
  report.table(
    Object.fromEntries(differences.map((db) => rowOf(`${db} dB`, ({ pair }) => pair.levelDifferenceDb === db))),
  )
  const all = addScores(results.map(({ score }) => score))
  const atTarget = results.filter(({ bleedDb }) => bleedDb === targets.keptAtDb).map(({ score }) => score)
  const [takenOut, kept] = [all.takenOutMs / all.ownMs, shareKept(addScores(atTarget))]
  report.verdict(`channels lost: ${all.lostChannels} of ${2 * results.length}, at most 0`, all.lostChannels === 0)
  report.verdict(
    `own speech taken out: ${percent(takenOut)}%, at most ${percent(targets.takenOut)}%`,
    takenOut <= targets.takenOut,
  )
  report.verdict(
    `bleed at ${targets.keptAtDb} dB kept: ${percent(kept)}%, at most ${percent(targets.kept)}%`,
    kept <= targets.kept,
  )
}

function shareKept({ keptMs, otherMs }: BleedScore): number {
  return keptMs / Math.max(1, otherMs)
}

function toCells(score: BleedScore): Cells {
  return {
    'own speech, s': (score.ownMs / 1000).toFixed(1),
    'taken out, %': percent(score.takenOutMs / Math.max(1, score.ownMs)),
    'other speech, s': (score.otherMs / 1000).toFixed(1),
    'kept, %': percent(shareKept(score)),
    'channels lost': score.lostChannels,
  }
}

const costMinutes = 10
const costBleedDb = -20

/** Measures what the bleed step costs relative to the network, on a call of all pairs in a row, each heard in the other channel. */
async function measureCost(report: Report, pairs: readonly VoicePair[]): Promise<void> {
  // The path between the channels of a call does not change from turn to turn.
  const parts = pairs.map((pair) => mixPair({ ...pair, delayMs: 25 }, costBleedDb))
  const onceSamples = parts.reduce((sum, [left]) => sum + left.length, 0)
  const repeats = Math.ceil((costMinutes * 60 * 16_000) / onceSamples)
  const repeated = Array.from({ length: repeats }, () => parts).flat()
  const channels = [0, 1].map((channel) => concat(repeated.map((pair) => pair[channel] ?? pair[0])))
  await withFolder(async (workDir) => {
    await writeWav(join(workDir, 'call.wav'), channels)
    const decoded = await decodeAudio(join(workDir, 'call.wav'), { workDir })
    const before = readTreeCpu()
    await detectSpeech(decoded)
    const after = readTreeCpu()
    const [ownS, networkS] = [after.ownSeconds - before.ownSeconds, after.childrenSeconds - before.childrenSeconds]
    const minutes = decoded.durationMs / 60_000
    report.heading(`Cost of a call of ${minutes.toFixed(1)} minutes with bleed at ${costBleedDb} dB in every turn`)
    report.line(`network: ${((networkS * 1000) / minutes).toFixed(0)} ms of CPU a minute`)
    report.line(`bleed step: ${((ownS * 1000) / minutes).toFixed(1)} ms of CPU a minute, ${percent(ownS / networkS)}%`)
  })
}

function concat(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
