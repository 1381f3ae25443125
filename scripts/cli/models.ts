import { access } from 'node:fs/promises'
import { readConfig } from '#data/config.ts'
import { modelPath, readCatalog } from '#engine/models/catalog.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'

const usage = `Usage: npm run awaz -- models list

Lists every model of models/catalog.json and MODELS_DIR/catalog.local.json: whether it is installed, and what is known of it.`

/** `awaz models list`. */
export async function run(args: string[]): Promise<number> {
  if (args[0] !== 'list') {
    console.log(usage)
    return args.length === 0 || args.includes('--help') ? 0 : 1
  }
  const { modelsDir } = readConfig(process.env)
  for (const entry of await readCatalog(modelsDir)) console.log(await describe(entry, modelsDir))
  return 0
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
    entry.sizeBytes === null ? 'size unknown' : megabytes(entry.sizeBytes),
    (entry.sha256 ?? entry.sha1) ? 'hash known' : 'hash unknown',
    errors,
    entry.licence ?? 'licence unknown',
  ]
  return `${isInstalled ? '✓' : ' '} ${entry.id.padEnd(28)} ${entry.name}\n    ${facts.join(' · ')}`
}

function megabytes(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
