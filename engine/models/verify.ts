import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#contract/app-error.ts'
import { cancelled } from '#engine/child/child-process.ts'
import { findGgmlFault } from './ggml-file.ts'
import type { ModelEntry } from './model-entry.ts'

/** What a file looked like when it was found whole, by path. A file that was replaced or touched since is checked again. */
const verified = new Map<string, string>()

/**
 * Checks that a model's file is there and whole before native code opens it: size and hash where the catalogue knows them, and
 * for a speech model its structure, because whisper.cpp crashes on what is not a model. A file found whole is not read again by
 * this process until its size or time changes. Throws `model_unavailable` with a sentence and what to do.
 */
export async function verifyModel(
  model: ModelEntry & { path: string },
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const info = await stat(model.path).catch(() => undefined)
  if (!info?.isFile()) {
    throw new AppError('model_unavailable', `The model ${model.name} is not installed.`, { help: howToGet(model) })
  }
  const look = `${info.size} ${info.mtimeMs} ${model.sha256 ?? model.sha1 ?? ''}`
  if (verified.get(model.path) === look) return
  const fault = sizeFault(model, info.size) ?? (await hashFault(model, signal)) ?? (await structureFault(model))
  if (fault) {
    throw new AppError('model_unavailable', `The file of the model ${model.name} is damaged: ${fault}.`, {
      help: howToGet(model),
    })
  }
  verified.set(model.path, look)
}

function howToGet(model: ModelEntry & { path: string }): string {
  if (model.isDemo) return 'Restore models/demo from the Awaz repository.'
  return `Put the file at ${model.path}${model.url ? ` (from ${model.url})` : ''}.`
}

function sizeFault({ sizeBytes }: ModelEntry, actualBytes: number): string | undefined {
  if (sizeBytes === null || sizeBytes === actualBytes) return undefined
  return `it has ${actualBytes} bytes instead of ${sizeBytes}`
}

async function hashFault(
  model: ModelEntry & { path: string },
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const algorithm = model.sha256 ? 'sha256' : 'sha1'
  const wanted = model.sha256 ?? model.sha1
  if (!wanted) return undefined
  const hash = createHash(algorithm)
  try {
    await pipeline(createReadStream(model.path, { highWaterMark: 1024 * 1024 }), hash, { signal })
  } catch (error) {
    throw signal?.aborted ? cancelled(signal) : error
  }
  return hash.digest('hex') === wanted ? undefined : `its ${algorithm} is not the one in the catalogue`
}

async function structureFault(model: ModelEntry & { path: string }): Promise<string | undefined> {
  return model.kind === 'speech' ? findGgmlFault(model.path) : undefined
}
