import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { modelPath, readCatalog } from '#engine/models/catalog.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { pretrainedGemma } from '#engine/translation/testing/pretrained-gemma.ts'
import { absenceOf } from '#testing/needs.ts'
import { measureSpeed } from './translation/speed-part.ts'
import { measureNews } from './translation/news-part.ts'

const usage = `Usage: npm run bench -- translation [--models-dir DIR] [--lines N] [--pairs ps-en,fa-en,ur-en,ar-en] [--speed-lines N]

Measures each translation model of DIR (AWAZ_REAL_MODELS) that is no demo, on the first N lines of NTREX-128 (REAL_DATA_DIR), and Gemma 3
270M against llama.cpp's own server (AWAZ_LLAMA_SERVER_PYTHON), line by line in turns, one thread each.`

/** `npm run bench -- translation`: how well and how fast installed models translate. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      'models-dir': { type: 'string', default: process.env.AWAZ_REAL_MODELS },
      lines: { type: 'string', default: '100' },
      pairs: { type: 'string', default: 'ps-en,fa-en,ur-en,ar-en' },
      'speed-lines': { type: 'string', default: '20' },
    },
  })
  const modelsDir = values['models-dir']
  if (!modelsDir) throw new Error(usage)
  const models = await installedModels(modelsDir)
  if (models.length === 0) throw new Error(`There is no translation model in ${modelsDir} but demo models.`)
  for (const model of models) {
    await measureNews({ model, pairs: values.pairs.split(','), lines: Number(values.lines) })
  }
  const speedLines = Number(values['speed-lines'])
  if (speedLines === 0) return
  const absence = absenceOf('gemma', 'llamaServer')
  if (absence) return console.log(`No speed beside llama.cpp's own server: ${absence}`)
  await measureSpeed({ model: pretrainedGemma(modelsDir), lines: speedLines })
}

async function installedModels(modelsDir: string): Promise<TranslationModel[]> {
  const entries = await readCatalog(modelsDir)
  const listed = entries.flatMap((entry) => {
    const path = modelPath(entry, modelsDir)
    return entry.kind === 'translation' && !entry.isDemo && path !== undefined && existsSync(path)
      ? [{ ...entry, path }]
      : []
  })
  const gemma = pretrainedGemma(modelsDir)
  const isKnown = listed.some(({ path }) => path === gemma.path)
  return existsSync(gemma.path) && !isKnown ? [...listed, gemma] : listed
}
