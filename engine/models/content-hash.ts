import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { cancelled } from '#engine/child/child-process.ts'
import { listModelFiles } from './model-files.ts'
import type { ModelEntry } from './model-entry.ts'
import { readRegistry, saveHash } from './registry.ts'
import type { HashedFile } from './registry.ts'

interface HashOptions {
  /** Where hashes are kept beyond this process; undefined keeps them in memory alone. */
  modelsDir?: string
  signal?: AbortSignal
}

/** Hashes that this process knows, by path. */
const known = new Map<string, HashedFile>()

/**
 * Returns what tells these weights from all others: the SHA-256 of the model's file as lower-case hex; of a model of several files the
 * SHA-256 of the lines `name sha256\n`, sorted by name. It is computed again only when a file's size, times or inode change.
 *
 * @throws the error of `stat` where a file is missing; AppError `job_cancelled` when aborted
 */
export async function contentHash(model: ModelEntry & { path: string }, options: HashOptions): Promise<string> {
  const files = await listModelFiles(model)
  const [first] = files
  const isSingle = model.kind === 'translation' || !model.sherpa
  if (isSingle && first) return hashFile(first.path, options)
  const lines: string[] = []
  for (const { name, path } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    lines.push(`${name} ${await hashFile(path, options)}\n`)
  }
  return createHash('sha256').update(lines.join('')).digest('hex')
}

/** Returns the SHA-256 of a file as lower-case hex; from memory or `registry.json` where the file has not changed since. */
export async function hashFile(path: string, { modelsDir, signal }: HashOptions): Promise<string> {
  const state = await readState(path)
  const remembered = known.get(path)
  if (remembered && isSame(remembered, state)) return remembered.sha256
  const registered = modelsDir === undefined ? undefined : (await readRegistry(modelsDir))[path]
  if (registered && isSame(registered, state)) {
    known.set(path, registered)
    return registered.sha256
  }
  const sha256 = await digestFile(path, { algorithm: 'sha256', signal })
  // A file that was written to meanwhile has no hash worth keeping.
  if (isSame(state, await readState(path))) {
    known.set(path, { ...state, sha256 })
    if (modelsDir !== undefined) await saveHash(modelsDir, path, { ...state, sha256 })
  }
  return sha256
}

/** Reads a whole file and returns its hash as lower-case hex. */
export async function digestFile(
  path: string,
  { algorithm, signal }: { algorithm: 'sha256' | 'sha1'; signal?: AbortSignal },
): Promise<string> {
  const hash = createHash(algorithm)
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash, { signal })
  } catch (error) {
    throw signal?.aborted ? cancelled(signal) : error
  }
  return hash.digest('hex')
}

type FileState = Omit<HashedFile, 'sha256'>

async function readState(path: string): Promise<FileState> {
  const { size, mtimeMs, ctimeMs, ino } = await stat(path)
  return { sizeBytes: size, modifiedMs: mtimeMs, changedMs: ctimeMs, inode: ino }
}

function isSame(a: FileState, b: FileState): boolean {
  return (
    a.sizeBytes === b.sizeBytes && a.modifiedMs === b.modifiedMs && a.changedMs === b.changedMs && a.inode === b.inode
  )
}
