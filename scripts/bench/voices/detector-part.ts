import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeAudio } from '#engine/audio/decode.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { realDataDir } from '#testing/real-data.ts'
import { withFolder } from './clips.ts'
import type { BenchContext } from './context.ts'
import { percent } from './report.ts'
import type { Cells } from './report.ts'
import { joinSpans, readTurns, scoreDetection } from './turns.ts'
import type { DetectionScore } from './turns.ts'

/** Audio that the pipeline keeps around detected speech. */
const paddingMs = 300
const collarMs = 250
/** Limits, as shares of all speech. */
const targets = { missed: 0.05, false: 0.01 }

/** Measures only the detector, on meetings for which it is known who speaks when. */
export async function measureDetector({ report, onProgress }: BenchContext): Promise<void> {
  const folder = join(realDataDir, 'meetings')
  const rows: Record<string, Cells> = {}
  const total = { speechMs: 0, pauseMs: 0, missedMs: 0, falseMs: 0 }
  for (const [name, reference] of readTurns(await readFile(join(folder, 'turns.rttm'), 'utf8'))) {
    const score = await withFolder(async (workDir) => {
      const decoded = await decodeAudio(join(folder, `${name}.flac`), { workDir })
      const [spans = []] = (await detectSpeech(decoded)).spans
      const padded = joinSpans(
        spans.map(({ startMs, endMs }) => ({ startMs: startMs - paddingMs, endMs: endMs + paddingMs })),
      )
      return scoreDetection(padded, { reference, durationMs: decoded.durationMs, collarMs })
    })
    for (const key of ['speechMs', 'pauseMs', 'missedMs', 'falseMs'] as const) total[key] += score[key]
    rows[name] = toCells(score)
    onProgress(name)
  }
  rows.all = toCells(total)
  report.heading(
    `Detector on meetings, ${collarMs} ms around each true edge left out, padding of ${paddingMs} ms included`,
  )
  report.table(rows)
  const [missed, falseAlarms] = [total.missedMs / total.speechMs, total.falseMs / total.speechMs]
  report.verdict(`speech missed: ${percent(missed)}%, at most ${percent(targets.missed)}%`, missed <= targets.missed)
  report.verdict(
    `false, of speech: ${percent(falseAlarms)}%, at most ${percent(targets.false)}%`,
    falseAlarms <= targets.false,
  )
}

function toCells({ speechMs, pauseMs, missedMs, falseMs }: DetectionScore): Cells {
  const share = (ms: number, of: number) => (of === 0 ? '' : percent(ms / of))
  return {
    'speech, s': (speechMs / 1000).toFixed(1),
    'pauses, s': (pauseMs / 1000).toFixed(1),
    'missed, % of speech': share(missedMs, speechMs),
    'false, % of speech': share(falseMs, speechMs),
    'false, % of pauses': share(falseMs, pauseMs),
  }
}
