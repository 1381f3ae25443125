import { stat } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import { digestFile, hashFile } from './content-hash.ts'
import type { ModelEntry } from './model-entry.ts'
import { listModelFiles } from './model-files.ts'
import type { ExpectedFile } from './model-files.ts'

/** What a file looked like when it was found whole, by path. A file that was replaced or touched since is checked again. */
const verified = new Map<string, string>()

/**
 * Checks that a model's files are there and whole before native code opens them: size and hash where the catalogue knows them, and
 * for a speech model their structure. A file found whole is not read again by this process until its size or time changes. Throws
 * `model_unavailable` with a sentence and what to do.
 */
export async function verifyModel(
  model: ModelEntry & { path: string },
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  for (const file of await listModelFiles(model)) await verifyFile(model, file, signal)
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
  const actual = file.sha256
    ? await hashFile(file.path, { signal })
    : await digestFile(file.path, { algorithm: 'sha1', signal })
  return actual === wanted ? undefined : `its ${algorithm} is not the one in the catalogue`
}
