import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { choicesPath } from '#engine/models/choices.ts'
import { localCatalogPath, bundledModelsDir } from '#engine/models/catalog.ts'

/** A file to back up: its path in the archive, and on this machine. */
export interface SourceFile {
  path: string
  source: string
}

/** Pages of an organisation's own words (docs/deployment.md), and the password of the first administrator while it is valid. */
const singleFiles = ['terms.md', 'privacy.md', 'support.md', 'initial-admin-password']
const folders = ['secrets', 'outbox']

/** Lists what belongs to an instance beside its database and audio: secrets, queued mail, pages, choices of models. */
export async function listDataFiles({
  dataDir,
  modelsDir,
}: {
  dataDir: string
  modelsDir: string
}): Promise<SourceFile[]> {
  const inFolders = await Promise.all(folders.map((folder) => listFiles(join(dataDir, folder))))
  const data = [...singleFiles.map((name) => join(dataDir, name)), ...inFolders.flat()]
  const models = [choicesPath(modelsDir), localCatalogPath(modelsDir)]
  return [
    ...data.map((source) => ({ path: `data/${relative(dataDir, source)}`, source })),
    ...models.map((source) => ({ path: `models/${relative(modelsDir, source)}`, source })),
  ]
}

/** Lists the files of models that are not part of the product. */
export async function listModelFiles(modelsDir: string): Promise<SourceFile[]> {
  const shipped = ['demo', 'speakers', 'vad'].map((name) => join(bundledModelsDir, name, '/'))
  const single = new Set([choicesPath(modelsDir), localCatalogPath(modelsDir), join(bundledModelsDir, 'catalog.json')])
  const files = await listFiles(modelsDir)
  return files
    .filter((path) => !single.has(path) && !shipped.some((folder) => path.startsWith(folder)))
    .filter((path) => !path.includes('/import/.uploads/') && !/\.(partial|lock)$/.test(path))
    .map((source) => ({ path: `models/${relative(modelsDir, source)}`, source }))
}

/** Reads a file; undefined where there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  return ifThere(() => readFile(path))
}

/**
 * Lists the files below a folder, none where it is missing. Follows symbolic links: Kubernetes mounts secrets as such. Its own folders for that
 * (`..data`) are left out, their files are listed by the links to them.
 */
async function listFiles(folder: string, parents: ReadonlySet<string> = new Set()): Promise<string[]> {
  const real = await ifThere(() => realpath(folder))
  if (real === undefined || parents.has(real)) return []
  const files: string[] = []
  for (const name of (await ifThere(() => readdir(folder))) ?? []) {
    if (name.startsWith('..')) continue
    const path = join(folder, name)
    const info = await ifThere(() => stat(path))
    if (info?.isDirectory()) files.push(...(await listFiles(path, new Set([...parents, real]))))
    else if (info?.isFile()) files.push(path)
  }
  return files
}

/** Returns undefined where there is no such file. Throws any other error: a file that cannot be read is not missing. */
async function ifThere<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
