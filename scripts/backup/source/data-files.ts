import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { ifExists } from '#data/if-exists.ts'
import { choicesPath } from '#engine/models/choices.ts'
import { localCatalogPath, bundledModelsDir } from '#engine/models/catalog.ts'
import { dataFiles, dataFolders } from '../format/known-paths.ts'

/** A file to back up: its path in the archive and its path on this machine. */
export interface BackupSourceFile {
  path: string
  source: string
}

/** Lists what belongs to an instance besides its database and audio: secrets, queued mail, pages, choices of models. */
export async function listDataFiles({
  dataDir,
  modelsDir,
}: {
  dataDir: string
  modelsDir: string
}): Promise<BackupSourceFile[]> {
  const inFolders = await Promise.all(dataFolders.map((folder) => listFiles(join(dataDir, folder))))
  const data = [...dataFiles.map((name) => join(dataDir, name)), ...inFolders.flat()]
  const models = [choicesPath(modelsDir), localCatalogPath(modelsDir)]
  return [
    ...data.map((source) => ({ path: `data/${relative(dataDir, source)}`, source })),
    ...models.map((source) => ({ path: `models/${relative(modelsDir, source)}`, source })),
  ]
}

/** Lists the files of models that are not part of the product. */
export async function listModelFiles(modelsDir: string): Promise<BackupSourceFile[]> {
  const shipped = ['demo', 'speakers', 'vad'].map((name) => join(bundledModelsDir, name, '/'))
  const single = new Set([choicesPath(modelsDir), localCatalogPath(modelsDir), join(bundledModelsDir, 'catalog.json')])
  const files = await listFiles(modelsDir)
  return files
    .filter((path) => !single.has(path) && !shipped.some((folder) => path.startsWith(folder)))
    .filter((path) => !path.includes('/import/.uploads/') && !/\.(partial|lock)$/.test(path))
    .map((source) => ({ path: `models/${relative(modelsDir, source)}`, source }))
}

/** Reads a file; undefined if there is none. */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
  return ifExists(() => readFile(path))
}

/**
 * Lists the files below a folder; none where it is missing. Follows symbolic links, because Kubernetes mounts secrets as links. The
 * folders that it links to (`..data`) are left out: their files are listed under the links.
 */
async function listFiles(folder: string, parents: ReadonlySet<string> = new Set()): Promise<string[]> {
  const real = await ifExists(() => realpath(folder))
  if (real === undefined || parents.has(real)) return []
  const files: string[] = []
  for (const name of (await ifExists(() => readdir(folder))) ?? []) {
    if (name.startsWith('..')) continue
    const path = join(folder, name)
    const info = await ifExists(() => stat(path))
    if (info?.isDirectory()) files.push(...(await listFiles(path, new Set([...parents, real]))))
    else if (info?.isFile()) files.push(path)
  }
  return files
}
