import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#contract/app-error.ts'
import { cancelled } from '#engine/child/child-process.ts'
import { hasExactInt8Here } from './cpu-features.ts'
import { findGgmlFault } from './ggml-file.ts'
import type { ModelEntry } from './model-entry.ts'
import { chooseFiles, findSherpaFault } from './sherpa-files.ts'

/** What a file looked like when it was found whole, by path. A file that was replaced or touched since is checked again. */
const verified = new Map<string, string>()

/** A file of a model and what the catalogue knows of it. */
interface ExpectedFile {
  path: string
  sizeBytes: number | null
  sha256: string | null
  sha1: string | null
  /** What is wrong with its structure, because native code crashes on what is not a model; undefined where nothing is. */
  findFault(): Promise<string | undefined>
}

/**
 * Checks that a model's files are there and whole before native code opens them: size and hash where the catalogue knows them, and
 * for a speech model their structure. A file found whole is not read again by this process until its size or time changes. Throws
 * `model_unavailable` with a sentence and what to do.
 */
export async function verifyModel(
  model: ModelEntry & { path: string },
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  for (const file of await listFiles(model)) await verifyFile(model, file, signal)
}

async function listFiles(model: ModelEntry & { path: string }): Promise<ExpectedFile[]> {
  const { path, sizeBytes, sha256, sha1 } = model
  if (model.kind === 'translation') return [{ path, sizeBytes, sha256, sha1, findFault: async () => undefined }]
  const { sherpa } = model
  if (!sherpa) return [{ path, sizeBytes, sha256, sha1, findFault: () => findGgmlFault(path) }]
  const files = chooseFiles({ ...model, sherpa }, { hasExactInt8: await hasExactInt8Here() })
  return Object.entries(files).map(([role, file]) => ({
    ...file,
    sha1: null,
    findFault: () => findSherpaFault({ ...model, sherpa }, role, file.path),
  }))
}

async function verifyFile(
  model: ModelEntry & { path: string },
  file: ExpectedFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  const info = await stat(file.path).catch(() => undefined)
  if (!info?.isFile()) {
    throw new AppError('model_unavailable', `The model ${model.name} is not installed.`, {
      help: howToGet(model, file),
    })
  }
  const look = `${info.size} ${info.mtimeMs} ${file.sha256 ?? file.sha1 ?? ''}`
  if (verified.get(file.path) === look) return
  const fault = sizeFault(file, info.size) ?? (await hashFault(file, signal)) ?? (await file.findFault())
  if (fault) {
    throw new AppError('model_unavailable', `The file of the model ${model.name} is damaged: ${fault}.`, {
      help: howToGet(model, file),
    })
  }
  verified.set(file.path, look)
}

function howToGet(model: ModelEntry, { path }: ExpectedFile): string {
  if (model.isDemo) return 'Restore models/demo from the Awaz repository.'
  return `Put the file at ${path}${model.url ? ` (from ${model.url})` : ''}.`
}

function sizeFault({ sizeBytes }: ExpectedFile, actualBytes: number): string | undefined {
  if (sizeBytes === null || sizeBytes === actualBytes) return undefined
  return `it has ${actualBytes} bytes instead of ${sizeBytes}`
}

async function hashFault(file: ExpectedFile, signal: AbortSignal | undefined): Promise<string | undefined> {
  const algorithm = file.sha256 ? 'sha256' : 'sha1'
  const wanted = file.sha256 ?? file.sha1
  if (!wanted) return undefined
  const hash = createHash(algorithm)
  try {
    await pipeline(createReadStream(file.path, { highWaterMark: 1024 * 1024 }), hash, { signal })
  } catch (error) {
    throw signal?.aborted ? cancelled(signal) : error
  }
  return hash.digest('hex') === wanted ? undefined : `its ${algorithm} is not the one in the catalogue`
}
