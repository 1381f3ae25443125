import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeAudio } from '#engine/audio/decode.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { readTreeCpu, watchPeakMemory } from '#engine/evaluate/process-tree.ts'
import { findSpeakers } from '#engine/speakers/find-speakers.ts'
import type { SpeakerTurns } from '#engine/speakers/speaker-turns.ts'
import { realDataDir } from '#testing/real-data.ts'
import { withFolder } from './clips.ts'
import type { SoundContext } from './context.ts'
import { errorRate, scoreDiarization } from './diarization-error.ts'
import type { DiarizationScore, VoiceStretch } from './diarization-error.ts'
import { buildMonoCall, readReaders, readRoom } from './mono-call.ts'
import { percent } from './report.ts'
import type { Cells } from './report.ts'
import { readVoices } from './turns.ts'

const collarMs = 250
/** No parameter was chosen by these calls. */
const firstSeed = 1
const callCount = 24
const longMinutes = 60
const targets = { error: 0.12, confused: 0.02, countRight: 0.85, meetings: 0.28, cpuSPerMinute: 3, memoryBytes: 500e6 }

interface DiarizedRecording extends SpeakerTurns {
  seconds: number
  cpuS: number
  peakChildBytes: number
}

/** Measures who speaks when in one channel, on built calls and meetings, and the cost of a long call. */
export async function measureSpeakers(context: SoundContext): Promise<void> {
  await withFolder(async (temporary) => {
    const folder = context.keepDir ?? temporary
    await mkdir(folder, { recursive: true })
    const sources = { readers: await readReaders(), room: await readRoom(), folder }
    await measureMonoCalls(context, sources)
    await measureMeetings(context)
    await measureLongCall(context, sources)
  })
}

interface CallSources {
  readers: Awaited<ReturnType<typeof readReaders>>
  room: Float32Array
  folder: string
}

async function measureMonoCalls({ report, onProgress }: SoundContext, sources: CallSources): Promise<void> {
  const rows: Record<string, Cells> = {}
  const scores: DiarizationScore[] = []
  const strict: DiarizationScore[] = []
  let right = 0
  for (let index = 0; index < callCount; index += 1) {
    const voiceCount = 1 + (index % 4)
    const minutes = 1 + (Math.floor(index / 4) % 3)
    const name = `mono-${index + 1}`
    const path = join(sources.folder, name)
    const call = await buildMonoCall({ ...sources, path, voiceCount, minutes, seed: firstSeed + index })
    const diarized = await diarizeFile(call.path)
    const score = scoreDiarization(diarized.turns, call.reference, { collarMs })
    scores.push(score)
    strict.push(scoreDiarization(diarized.turns, call.reference, { collarMs: 0 }))
    if (diarized.voiceCount === voiceCount) right += 1
    rows[name] = { minutes, voices: voiceCount, found: diarized.voiceCount, band: diarized.band, ...toCells(score) }
    onProgress(`${name}: ${percent(errorRate(score))}%`)
  }
  const all = addScores(scores)
  const confused = all.confusedMs / all.speechMs
  rows.all = toCells(all)
  rows['all, without a collar'] = toCells(addScores(strict))
  report.heading(`Mono calls, ${collarMs} ms around each true edge left out, percent of speech`)
  report.table(rows)
  report.verdict(
    `diarization error: ${percent(errorRate(all))}%, at most ${percent(targets.error)}%`,
    errorRate(all) <= targets.error,
  )
  report.verdict(`confused: ${percent(confused)}%, at most ${percent(targets.confused)}%`, confused <= targets.confused)
  report.verdict(
    `number of speakers right: ${right} of ${callCount}, at least ${percent(targets.countRight)}%`,
    right / callCount >= targets.countRight,
  )
}

async function measureMeetings({ report, onProgress }: SoundContext): Promise<void> {
  const folder = join(realDataDir, 'meetings')
  const rows: Record<string, Cells> = {}
  const scores: DiarizationScore[] = []
  for (const [name, reference] of readVoices(await readFile(join(folder, 'turns.rttm'), 'utf8'))) {
    const diarized = await diarizeFile(join(folder, `${name}.flac`))
    const score = scoreDiarization(diarized.turns, reference, { collarMs })
    scores.push(score)
    rows[name] = { voices: countVoices(reference), found: diarized.voiceCount, band: diarized.band, ...toCells(score) }
    onProgress(name)
  }
  const all = addScores(scores)
  rows.all = toCells(all)
  report.heading('Meetings, one microphone in the room')
  report.table(rows)
  report.verdict(
    `diarization error: ${percent(errorRate(all))}%, at most ${percent(targets.meetings)}%`,
    errorRate(all) <= targets.meetings,
  )
}

async function measureLongCall({ report }: SoundContext, sources: CallSources): Promise<void> {
  const call = await buildMonoCall({
    ...sources,
    path: join(sources.folder, 'mono-long'),
    voiceCount: 3,
    minutes: longMinutes,
    seed: firstSeed + callCount,
  })
  const diarized = await diarizeFile(call.path)
  const score = scoreDiarization(diarized.turns, call.reference, { collarMs })
  const cpuSPerMinute = diarized.cpuS / longMinutes
  const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
  report.heading(`A mono call of ${longMinutes} minutes with three speakers`)
  report.table({ 'mono-long': { found: diarized.voiceCount, ...toCells(score) } })
  report.verdict(
    `CPU: ${cpuSPerMinute.toFixed(2)} s a minute, at most ${targets.cpuSPerMinute}`,
    cpuSPerMinute <= targets.cpuSPerMinute,
  )
  report.verdict(
    `peak memory of children and growth of the engine: ${mebibytes(diarized.peakChildBytes)} MiB, at most ${mebibytes(targets.memoryBytes)}`,
    diarized.peakChildBytes <= targets.memoryBytes,
  )
}

/** Finds speech, then speakers, as the product does. The CPU time covers both, but not decoding. */
async function diarizeFile(path: string): Promise<DiarizedRecording> {
  return withFolder(async (workDir) => {
    const decoded = await decodeAudio(path, { workDir })
    const before = readTreeCpu()
    const idleBytes = process.memoryUsage().rss
    const memory = watchPeakMemory()
    let ownBytes = idleBytes
    const timer = setInterval(() => (ownBytes = Math.max(ownBytes, process.memoryUsage().rss)), 100)
    const [spans = []] = (await detectSpeech(decoded)).spans
    const found = await findSpeakers(decoded, 0, spans)
    clearInterval(timer)
    const after = readTreeCpu()
    return {
      ...found,
      seconds: decoded.durationMs / 1000,
      cpuS: after.ownSeconds + after.childrenSeconds - before.ownSeconds - before.childrenSeconds,
      peakChildBytes: memory.stop() + ownBytes - idleBytes,
    }
  })
}

function countVoices(reference: readonly VoiceStretch[]): number {
  return new Set(reference.map(({ voice }) => voice)).size
}

function addScores(scores: readonly DiarizationScore[]): DiarizationScore {
  const sum = { speechMs: 0, missedMs: 0, falseMs: 0, confusedMs: 0 }
  for (const score of scores) {
    for (const key of ['speechMs', 'missedMs', 'falseMs', 'confusedMs'] as const) sum[key] += score[key]
  }
  return sum
}

function toCells(score: DiarizationScore): Cells {
  const share = (ms: number) => (score.speechMs === 0 ? '' : percent(ms / score.speechMs))
  return {
    'speech, s': (score.speechMs / 1000).toFixed(0),
    DER: score.speechMs === 0 ? '' : percent(errorRate(score)),
    missed: share(score.missedMs),
    false: share(score.falseMs),
    confused: share(score.confusedMs),
  }
}
