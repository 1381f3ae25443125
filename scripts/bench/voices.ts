import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { absenceOf } from '#testing/needs.ts'
import { measureCalls } from './voices/calls-part.ts'
import { measureChanges } from './voices/changes-part.ts'
import { measureConditions } from './voices/conditions-part.ts'
import { callConditions, findConditions } from './voices/conditions.ts'
import { corpora } from './voices/clips.ts'
import type { BenchContext, SoundContext } from './voices/context.ts'
import { measureCost } from './voices/cost-part.ts'
import { measureDetector } from './voices/detector-part.ts'
import { startFasterWhisper } from './voices/faster-whisper.ts'
import { measureEngines } from './voices/engines-part.ts'
import { measureHour } from './voices/hour-part.ts'
import { measureLanguage } from './voices/language-part.ts'
import { measureNoise } from './voices/noise-part.ts'
import { findModel } from './voices/product.ts'
import { createReport } from './voices/report.ts'
import { measureSpeakers } from './voices/speakers-part.ts'
import { measureClips } from './voices/wer-part.ts'

const parts: Record<string, (context: BenchContext) => Promise<void>> = {
  wer: measureClips,
  calls: measureCalls,
  conditions: measureConditions,
  changes: measureChanges,
  hour: measureHour,
  noise: measureNoise,
  detector: measureDetector,
  language: measureLanguage,
  cost: measureCost,
  engines: measureEngines,
}
/** Parts that need no speech model. */
const soundParts: Record<string, (context: SoundContext) => Promise<void>> = { speakers: measureSpeakers }
const partNames = [...Object.keys(parts), ...Object.keys(soundParts)]

const usage = `Usage: npm run bench -- voices --model ID [--models-dir DIR] [--only PART,…] [--languages en,ar,fa,prs] [--clips N] [--minutes N]
  [--against PYTHON] [--keep DIR] [--conditions NAME,…] [--seed N] [--markdown]

Parts: ${partNames.join(', ')}; ${Object.keys(soundParts).join(', ')} without a model. --models-dir (or MODELS_DIR) contains the model's file and, for --against, whisper-base-ct2/.
--against names a Python with faster-whisper, which then transcribes the same recordings in the same run. --keep keeps the calls and transcripts.
--conditions chooses what the call of \`conditions\` goes through, by the start of its names: ${callConditions.map(({ name }) => name).join('; ')}.
--seed, 7 by default, gives another call of \`conditions\` and \`hour\`.`

/** `npm run bench -- voices`: the product's pipeline on real recordings; docs/accuracy.md describes the method. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string' },
      'models-dir': { type: 'string', default: process.env.MODELS_DIR },
      only: { type: 'string', default: partNames.join(',') },
      languages: { type: 'string', default: corpora.join(',') },
      clips: { type: 'string', default: '1000' },
      minutes: { type: 'string', default: '20' },
      against: { type: 'string' },
      keep: { type: 'string' },
      conditions: { type: 'string', default: '' },
      seed: { type: 'string', default: '7' },
      markdown: { type: 'boolean', default: false },
    },
  })
  const modelsDir = values['models-dir']
  const chosen = values.only.split(',')
  const absence = absenceOf('recordings')
  if (absence) throw new Error(absence)
  if (chosen.some((name) => !partNames.includes(name))) throw new Error(usage)
  const soundContext: SoundContext = {
    report: createReport({ isMarkdown: values.markdown }),
    onProgress: (text) => console.error(`  … ${text}`),
    keepDir: values.keep,
  }
  for (const name of chosen) await soundParts[name]?.(soundContext)
  const modelParts = chosen.filter((name) => Object.hasOwn(parts, name))
  if (modelParts.length === 0) return
  if (values.model === undefined || modelsDir === undefined) throw new Error(usage)
  const python = values.against
  const startBaseline = python
    ? () => startFasterWhisper({ python, modelDir: join(modelsDir, 'whisper-base-ct2') })
    : undefined
  const context: BenchContext = {
    ...soundContext,
    model: await findModel(values.model, modelsDir),
    baseline: startBaseline?.(),
    startBaseline,
    corpora: corpora.filter((corpus) => values.languages.split(',').includes(corpus)),
    clips: Number(values.clips),
    minutes: Number(values.minutes),
    conditions: findConditions(values.conditions.split(',')),
    seed: Number(values.seed),
  }
  try {
    for (const name of modelParts) await parts[name]?.(context)
  } finally {
    await context.baseline?.close()
  }
}
