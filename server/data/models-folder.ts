import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The program's folder `models`, which comes with every release. */
const bundled = join(dirname(dirname(import.meta.dirname)), 'models')
/** What that folder contains from the start, and what Awaz writes there without any model. */
const ownEntries = new Set(['catalog.json', 'demo', 'vad', 'speakers', 'registry.json', 'import', 'measured.json'])

/**
 * Returns the folder of imported models: MODELS_DIR, or `models` in the data folder, so that they survive an upgrade of the program.
 * Until November 2026 it was the program's own folder: where that contains models, it still is.
 */
export function findModelsFolder(setting: string | undefined, dataDir: string, program: string = bundled): string {
  if (setting !== undefined) return resolve(setting)
  return holdsModels(program) ? program : join(dataDir, 'models')
}

function holdsModels(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => !ownEntries.has(name) && !name.startsWith('.'))
  } catch {
    return false
  }
}

/** Creates the folder. A failure is left to the code that writes there to report: without imported models Awaz reads nothing from it. */
export async function makeModelsFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch(() => undefined)
}
