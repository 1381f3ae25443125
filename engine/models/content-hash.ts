import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { cancellationError } from '#engine/child/child-process.ts'
import { listModelFiles } from './model-files.ts'
import type { ModelEntry } from './model-entry.ts'
import { readRegistry, saveHash } from './registry.ts'
import type { HashedFile } from './registry.ts'

interface HashOptions {
  /** The folder in which hashes are stored; if undefined, they are kept in memory only. */
  modelsDir?: string
  signal?: AbortSignal
}

/** Hashes in memory, by path. */
const cache = new Map<string, HashedFile>()

/**
 * Returns a hash that identifies the weights: the SHA-256 of the model's file in lowercase hex; for a model with several files, the
 * SHA-256 of the lines `name sha256\n`, sorted by name. It is recomputed only when a file's size, times or inode change.
 *
 * @throws the error of `stat` if a file is missing; AppError `job_cancelled` when aborted
 */
export async function contentHash(model: ModelEntry & { path: string }, options: HashOptions): Promise<string> {
  const files = await listModelFiles(model)
  const [first] = files
  const isSingle = model.kind === 'translation' || !model.sherpa
  if (isSingle && first) return (await hashFile(first.path, options)).sha256
  const lines: string[] = []
  for (const { name, path } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    lines.push(`${name} ${(await hashFile(path, options)).sha256}\n`)
  }
  return createHash('sha256').update(lines.join('')).digest('hex')
}

/** Hashes of a file in lowercase hex: catalog entries have one or the other. */
export interface FileHashes {
  sha256: string
  sha1: string
}

/** Returns the hashes of a file, from memory or `registry.json` if the file has not changed since they were computed. */
export async function hashFile(path: string, { modelsDir, signal }: HashOptions): Promise<FileHashes> {
  const state = await readState(path)
  const cached = cache.get(path)
  const registered = modelsDir === undefined ? undefined : (await readRegistry(modelsDir))[path]
  const current = [cached, registered].find((candidate) => candidate && isSame(candidate, state))
  const hashes = current ?? (await digestFile(path, signal))
  // The file changed while it was being hashed.
  if (!current && !isSame(state, await readState(path))) return hashes
  const hashed = { ...state, sha256: hashes.sha256, sha1: hashes.sha1 }
  cache.set(path, hashed)
  if (modelsDir !== undefined && !(registered && isSame(registered, state))) await saveHash(modelsDir, path, hashed)
  return hashes
}

async function digestFile(path: string, signal: AbortSignal | undefined): Promise<FileHashes> {
  const sha256 = createHash('sha256')
  const sha1 = createHash('sha1')
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) {
      sha256.update(chunk)
      sha1.update(chunk)
    }
  } catch (error) {
    throw signal?.aborted ? cancellationError(signal) : error
  }
  return { sha256: sha256.digest('hex'), sha1: sha1.digest('hex') }
}

type FileState = Omit<HashedFile, keyof FileHashes>

async function readState(path: string): Promise<FileState> {
  const { size, mtimeMs, ctimeMs, ino } = await stat(path)
  return { sizeBytes: size, modifiedMs: mtimeMs, changedMs: ctimeMs, inode: ino }
}

function isSame(a: FileState, b: FileState): boolean {
  return (
    a.sizeBytes === b.sizeBytes && a.modifiedMs === b.modifiedMs && a.changedMs === b.changedMs && a.inode === b.inode
  )
}
