import { access } from 'node:fs/promises'
import { cpus } from 'node:os'
import { readConfig } from '#data/config.ts'
import { modelPath, readCatalog } from '#engine/models/catalog.ts'
import { findCheapest, readMeasurements } from '#engine/models/measured.ts'
import type { ModelMeasurement } from '#engine/models/measured.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import { describeTrial, tryModel } from '#engine/try-model/try-model.ts'

const usage = `Usage: npm run awaz -- models list
       npm run awaz -- models verify ID

list shows every model of models/catalog.json and MODELS_DIR/catalog.local.json: whether it is installed, what is known of it, what it
cost on this machine, and which of several entries of the same weights is the cheapest here.
verify checks the files of a speech model, loads it, transcribes a sample and measures what that costs (MODELS_DIR/measured.json).`

/** `awaz models list` and `awaz models verify ID`. */
export async function run(args: string[]): Promise<number> {
  const [command, id] = args
  const { modelsDir } = readConfig(process.env)
  if (command === 'list') await list(modelsDir)
  else if (command === 'verify' && id !== undefined) await verify(id, modelsDir)
  else {
    console.log(usage)
    return args.length === 0 || args.includes('--help') ? 0 : 1
  }
  return 0
}

async function verify(id: string, modelsDir: string): Promise<void> {
  const trial = await tryModel(id, { modelsDir })
  console.log([`${trial.model.name} works:`, ...describeTrial(trial)].join('\n  '))
}

async function list(modelsDir: string): Promise<void> {
  const entries = await readCatalog(modelsDir)
  const measurements = await readMeasurements(modelsDir)
  const processor = cpus()[0]?.model ?? ''
  const comparable = entries.map((entry) => ({ id: entry.id, weights: entry.kind === 'speech' ? entry.weights : null }))
  const cheapest = findCheapest(comparable, measurements, processor)
  for (const entry of entries) {
    console.log(await describe(entry, modelsDir))
    const measurement = measurements[entry.id]
    if (measurement?.processor === processor) {
      console.log(
        `    ${describeCost(measurement)}${cheapest.has(entry.id) ? ' · the cheapest of these weights here' : ''}`,
      )
    }
  }
}

async function describe(entry: ModelEntry, modelsDir: string): Promise<string> {
  const path = modelPath(entry, modelsDir)
  const isInstalled =
    path !== undefined &&
    (await access(path).then(
      () => true,
      () => false,
    ))
  const measured = entry.errors.length
  const errors = measured === 0 ? 'error not measured' : `${measured} measured ${measured === 1 ? 'error' : 'errors'}`
  const facts = [
    entry.kind,
    ...(entry.kind === 'speech' && entry.sherpa ? [`sherpa-onnx (${entry.sherpa.family})`] : []),
    ...(entry.kind === 'speech' && entry.isUntried ? ['untried'] : []),
    entry.sizeBytes === null ? 'size unknown' : megabytes(entry.sizeBytes),
    (entry.sha256 ?? entry.sha1) ? 'hash known' : 'hash unknown',
    errors,
    entry.licence ?? 'licence unknown',
  ]
  return `${isInstalled ? '✓' : ' '} ${entry.id.padEnd(28)} ${entry.name}\n    ${facts.join(' · ')}`
}

function describeCost({ engine, cpuSPerS, peakMemoryBytes, measuredAt }: ModelMeasurement): string {
  if (cpuSPerS === null) return `${megabytes(peakMemoryBytes)} of memory (${engine})`
  const day = measuredAt.slice(0, 10)
  return `${cpuSPerS.toFixed(2)} CPU s a second of sound, ${megabytes(peakMemoryBytes)} of memory (${engine}, ${day})`
}

function megabytes(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
