import { mkdir, writeFile } from 'node:fs/promises'
import { buildCall } from './call-sound.ts'
import { transcribeByBaseline } from './calls-part.ts'
import { readClips, withFolder } from './clips.ts'
import { applyCondition } from './conditions.ts'
import type { BenchContext } from './context.ts'
import { measureLines } from './line-figures.ts'
import { findLineFaults } from './line-faults.ts'
import { createBackends, transcribeFile } from './product.ts'
import { percent } from './report.ts'
import type { Cells } from './report.ts'

const minutes = 4

/** Counts the invented and lost speech and the word errors of one call in each of the conditions. */
export async function measureConditions({
  model,
  baseline,
  conditions,
  seed,
  report,
  keepDir,
  onProgress,
}: BenchContext): Promise<void> {
  const rows: Record<string, Cells> = {}
  const counts = { impossible: 0, nobody: 0, missing: 0 }
  const backends = createBackends()
  try {
    await withFolder(async (temporary) => {
      const folder = keepDir ?? temporary
      await mkdir(folder, { recursive: true })
      const clips = await readClips({ only: ['en'] })
      const call = await buildCall({ name: 'conditions', folder, clips, minutes, seed })
      for (const condition of conditions) {
        const heard = await applyCondition(call.path, condition, folder)
        const { result, lines, cpuS, seconds } = await transcribeFile(heard.path, { model, language: 'en', backends })
        const faults = findLineFaults(lines, call.utterances, result.warnings)
        const figures = measureLines(lines, call.utterances)
        rows[condition.name] = {
          WER: percent(figures.wordErrors / figures.words),
          'impossible lines': faults.impossible.length,
          'lines of nobody': faults.nobody.length,
          'missing passages': faults.missing.length,
          CPU: (cpuS / seconds).toFixed(3),
          ...(baseline && (await baselineCells({ ...call, ...heard }, baseline))),
        }
        counts.impossible += faults.impossible.length
        counts.nobody += faults.nobody.length
        counts.missing += faults.missing.length
        await writeFile(`${heard.path}.json`, JSON.stringify({ result, faults }, null, 1))
        onProgress(`${condition.name}: ${JSON.stringify(rows[condition.name])}`)
      }
    })
  } finally {
    await backends.close()
  }
  report.heading('A call of four minutes in thirteen conditions: WER in percent, CPU seconds a second of call')
  report.table(rows)
  report.verdict(`lines without length: ${counts.impossible}, expected none`, counts.impossible === 0)
  report.verdict(`lines while nobody speaks: ${counts.nobody}, expected none`, counts.nobody === 0)
  report.verdict(`speech without text or warning: ${counts.missing}, expected none`, counts.missing === 0)
}

type BaselineCall = Parameters<typeof transcribeByBaseline>[0]

async function baselineCells(call: BaselineCall, baseline: NonNullable<BenchContext['baseline']>): Promise<Cells> {
  const { figures, cpuS, seconds } = await transcribeByBaseline(call, {
    language: 'en',
    hasDetector: true,
    baseline,
  })
  return {
    'WER, faster-whisper': percent(figures.wordErrors / figures.words),
    'CPU, faster-whisper': (cpuS / seconds).toFixed(3),
  }
}
