import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'

/** A file of `models/` that was not restored. */
export interface SkippedModel {
  /** Relative to MODELS_DIR. */
  path: string
  /** `exists already`, or the error code of the file system. */
  reason: string
}

/** Receives files of `models/`, which are moved into MODELS_DIR only when all are written. */
export interface ModelsTarget {
  kept: SkippedModel[]
  /** Folder on whose volume the files are written. */
  volume: string
  /** Returns the path that a file is written to until `place`; undefined if it is not restored. `path` is relative to MODELS_DIR. */
  stagedPath(path: string): string | undefined
  /** Moves the written files to their final paths. */
  place(): Promise<void>
  /** Removes all written files, including those already moved. */
  discard(): Promise<void>
}

export interface ModelsTargetOptions {
  dataDir: string
  modelsDir: string
  /** Moved into DATA_DIR as a whole later. */
  stagedDataDir: string
  /** Files to restore, relative to MODELS_DIR. */
  paths: string[]
}

/** Inside MODELS_DIR, and so on its volume: placing a file is only a rename. */
const stagingName = '.restoring'
/** Models are not user data: a folder that cannot be written to does not stop a restore. */
const toleratedCodes = ['EACCES', 'EROFS', 'EPERM']

/** Returns the first part of the path of MODELS_DIR below DATA_DIR; undefined where it is elsewhere. */
export function modelsEntry({ dataDir, modelsDir }: { dataDir: string; modelsDir: string }): string | undefined {
  const path = relative(dataDir, modelsDir)
  const [first] = path.split('/')
  return path === '' || first === '..' || isAbsolute(path) ? undefined : first
}

/** Opens MODELS_DIR. Existing files are left unchanged. */
export async function openModelsTarget(options: ModelsTargetOptions): Promise<ModelsTarget> {
  const { dataDir, modelsDir, stagedDataDir } = options
  const entry = modelsEntry(options)
  if (entry !== undefined && !existsSync(join(dataDir, entry))) {
    const folder = join(stagedDataDir, relative(dataDir, modelsDir))
    const nothing = async () => undefined
    return { kept: [], volume: dataDir, stagedPath: (path) => join(folder, path), place: nothing, discard: nothing }
  }
  return openExisting(options)
}

async function openExisting({ modelsDir, dataDir, paths }: ModelsTargetOptions): Promise<ModelsTarget> {
  const staging = join(modelsDir, stagingName)
  const kept: SkippedModel[] = []
  const isPresent = (path: string) => existsSync(join(modelsDir, path))
  const keep = (path: string, reason = 'exists already') => void kept.push({ path, reason })
  for (const path of paths.filter(isPresent)) keep(path)
  const created: string[] = []
  const makeFolder = async (path: string) => {
    const first = await mkdir(path, { recursive: true })
    if (first !== undefined) created.push(first)
    return first
  }
  const staged = new Set(paths.filter((path) => !isPresent(path)))
  try {
    if (staged.size > 0) {
      await makeFolder(modelsDir)
      await rm(staging, { recursive: true, force: true })
      await mkdir(staging, { mode: 0o700 })
    }
  } catch (error) {
    for (const path of staged) keep(path, toleratedCode(error))
    staged.clear()
  }

  async function placeFile(path: string): Promise<void> {
    if (isPresent(path)) return keep(path)
    const [source, target] = [join(staging, path), join(modelsDir, path)]
    const first = await makeFolder(dirname(target))
    if (first !== undefined)
      for (let at = dirname(target); at.length >= first.length; at = dirname(at)) await adoptOwner(at, modelsDir)
    await adoptOwner(source, modelsDir)
    await rename(source, target)
    created.push(target)
  }

  return {
    kept,
    volume: staged.size > 0 ? modelsDir : dataDir,
    stagedPath: (path) => (staged.has(path) ? join(staging, path) : undefined),
    async place() {
      for (const path of staged) {
        // A damaged file was left out.
        if (!existsSync(join(staging, path))) continue
        await placeFile(path).catch((error: unknown) => keep(path, toleratedCode(error)))
      }
      if (staged.size > 0) await rm(staging, { recursive: true, force: true })
    },
    async discard() {
      if (staged.size > 0) await rm(staging, { recursive: true, force: true })
      for (const path of created.toReversed()) await rm(path, { recursive: true, force: true })
    },
  }
}

/** Returns the error code of a folder that cannot be written. Throws other errors. */
function toleratedCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!toleratedCodes.includes(code)) throw error
  return code
}

/** Gives a file or folder the owner and permissions of another folder; for a file without "execute". */
async function adoptOwner(path: string, folder: string): Promise<void> {
  const [own, { mode, uid, gid }] = await Promise.all([stat(path), stat(folder)])
  await chmod(path, mode & (own.isDirectory() ? 0o777 : 0o666))
  if (process.getuid?.() === 0) await chown(path, uid, gid)
}
