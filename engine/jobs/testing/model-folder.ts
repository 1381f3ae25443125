import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCatalog } from '#engine/models/catalog.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import type { ModelConfig } from '../check-models.ts'

const demos = await readCatalog()
const [demoSpeech, demoTranslator] = ['demo-speech', 'demo-translator'].map((id) =>
  demos.find((entry) => entry.id === id),
)
if (!demoSpeech || !demoTranslator) throw new Error('The demo models are in the catalogue')
const bundled = join(import.meta.dirname, '..', '..', '..', 'models')

/** Paths of the demo model files. */
export const demoFiles = {
  speech: join(bundled, 'demo', 'demo-speech-q8_0.bin'),
  translation: join(bundled, 'demo', 'demo-translator-f16.gguf'),
}

export interface ModelFolder {
  dir: string
  /** A configuration that names no model. */
  config: ModelConfig
  /** Adds an entry like that of the demo model of the same kind, without its size and hash; `file` defaults to the id. */
  add(id: string, kind: ModelEntry['kind'], overrides?: Partial<ModelEntry>): Promise<void>
  /** Copies a demo model to a file in the folder. */
  copyDemo(kind: keyof typeof demoFiles, file: string): Promise<void>
  path(file: string): string
  remove(): Promise<void>
}

/** Creates a models folder for copies of the demo models that a test may damage. */
export async function makeModelFolder(): Promise<ModelFolder> {
  const dir = await mkdtemp(join(tmpdir(), 'awaz-models-'))
  const entries: ModelEntry[] = []
  const path = (file: string) => join(dir, file)
  return {
    dir,
    path,
    config: { modelsDir: dir, speechModel: undefined, speechModelByLanguage: {}, translationModel: undefined },
    async add(id, kind, overrides = {}) {
      const demo = kind === 'speech' ? demoSpeech : demoTranslator
      const own = { id, name: `Model ${id}`, file: id, isDemo: false, sizeBytes: null, sha256: null }
      entries.push({ ...demo, ...own, ...overrides } as ModelEntry) // the demo's entry of that kind, with fields of the same kind
      await writeFile(path('catalog.local.json'), JSON.stringify({ models: entries }))
    },
    copyDemo: (kind, file) => copyFile(demoFiles[kind], path(file)),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** Returns the first bytes of a demo model. */
export async function readHead(kind: keyof typeof demoFiles, bytes: number): Promise<Buffer> {
  return (await readFile(demoFiles[kind])).subarray(0, bytes)
}
