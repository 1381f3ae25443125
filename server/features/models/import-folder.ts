import { lstat, mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ImportName, type ModelImport } from '#contract/entities/model-operation.ts'
import { findDiskProblem } from '#data/disk-check.ts'

/** Kept free on the volume for the database, logs and temporary files: 1 GiB. */
const reserveBytes = 1024 * 1024 * 1024
/** A model has only a few files: a folder with more was put there by mistake, and is not measured completely. */
const maxMeasuredFiles = 2_000
const maxDepth = 4

export interface ImportFolder {
  path: string
  list(): Promise<ModelImport[]>
  /** Throws `not_found`. */
  read(name: string): Promise<ModelImport>
  /** Moves an uploaded folder here under the given name. Throws `conflict` if the name is taken. */
  add(folder: string, name: string): Promise<ModelImport>
  /** Deletes an upload. Throws `not_found`, or `conflict` for anything that an operator put there by hand. */
  remove(name: string): Promise<void>
  freeBytes(): Promise<number>
  /** Returns why nothing can be written here, in words for an operator; undefined if it can. Creates the folder. */
  findProblem(): Promise<string | undefined>
}

/**
 * Opens MODELS_DIR/import: models that were put there or uploaded, one file or folder per model. Names beginning with a dot are ours:
 * `.uploads` holds uploads in progress, `.uploaded` an empty marker file for each uploaded name.
 */
export function openImportFolder(modelsDir: string): ImportFolder {
  const root = join(modelsDir, 'import')
  const markerOf = (name: string) => join(root, '.uploaded', name)

  async function describe(name: string): Promise<ModelImport | undefined> {
    const info = await lstat(join(root, name)).catch(() => undefined)
    if (!info || (!info.isFile() && !info.isDirectory())) return undefined
    const measured = info.isFile() ? { files: 1, size_bytes: info.size } : await measureFolder(join(root, name))
    return {
      name,
      is_folder: info.isDirectory(),
      ...measured,
      is_uploaded: await exists(markerOf(name)),
      changed_at: info.mtime.toISOString(),
    }
  }

  async function read(name: string): Promise<ModelImport> {
    const found = await describe(name)
    if (found) return found
    throw new AppError('not_found', `There is no ${name} in ${root}.`)
  }

  return {
    path: root,
    read,
    async list() {
      const names = await readdir(root).catch(() => [])
      const found = await Promise.all(names.filter((name) => ImportName.safeParse(name).success).map(describe))
      return found.flatMap((entry) => entry ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
    },
    async add(folder, name) {
      if (await exists(join(root, name))) throw nameTaken(name)
      await mkdir(join(root, '.uploaded'), { recursive: true })
      // The marker is written first, so that an upload is never mistaken for something an operator put here.
      await writeFile(markerOf(name), '')
      await rename(folder, join(root, name)).catch((error: unknown) => {
        throw isTaken(error) ? nameTaken(name) : error
      })
      return read(name)
    },
    async remove(name) {
      const { is_uploaded } = await read(name)
      if (!is_uploaded) {
        throw new AppError('conflict', `${name} was put into ${root} by hand: delete it there.`)
      }
      await rm(join(root, name), { recursive: true, force: true })
      await rm(markerOf(name), { force: true })
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(root).catch(() => statfs(modelsDir))
      return Math.max(0, bavail * bsize - reserveBytes)
    },
    findProblem: () => findDiskProblem(root),
  }
}

/** Returns the error for a name that an existing file or folder already has. */
export function nameTaken(name: string): AppError {
  return new AppError('conflict', `There is a ${name} in the import folder already.`, {
    help: 'Import it, delete it, or give the new one another name.',
  })
}

async function measureFolder(folder: string): Promise<{ files: number; size_bytes: number }> {
  const total = { files: 0, size_bytes: 0 }
  async function add(path: string, depth: number): Promise<void> {
    for (const entry of await readdir(path, { withFileTypes: true }).catch(() => [])) {
      if (total.files >= maxMeasuredFiles) return
      const child = join(path, entry.name)
      if (entry.isDirectory() && depth < maxDepth) await add(child, depth + 1)
      if (!entry.isFile()) continue
      total.files += 1
      total.size_bytes += (await stat(child).catch(() => undefined))?.size ?? 0
    }
  }
  await add(folder, 0)
  return total
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(code)
}
