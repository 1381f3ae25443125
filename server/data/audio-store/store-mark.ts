import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseConnection } from '../connect.ts'
import { systemFactModel } from '../system/system-fact-model.ts'

const factId = 'audio_store'
const markName = '.store'
/** Stands in for a folder's mark where recordings are kept in the database, which every engine can read. */
const gridFsMark = 'gridfs'

/**
 * Marks the folder in which a server keeps recordings, and stores the mark in the database, so that an engine on another host can tell
 * whether it sees that folder or an empty one of its host. A folder without a mark gets a new one. If the mark cannot be written,
 * nothing is stored, `onError` is called, and engines use the folder they have. No folder means that recordings are in the database.
 */
export async function markAudioStore(
  connection: DatabaseConnection,
  root: string | undefined,
  onError: (error: unknown) => void,
): Promise<void> {
  const facts = systemFactModel(connection)
  const known = (await facts.findById(factId).lean())?.value
  let mark: string
  try {
    mark = root === undefined ? gridFsMark : ((await readMark(root)) ?? (await writeMark(root)))
  } catch (error) {
    return onError(error)
  }
  if (mark !== known) await facts.updateOne({ _id: factId }, { $set: { value: mark } }, { upsert: true })
}

/**
 * Returns a sentence saying why recordings cannot be read in this folder, or null where they can. Until a server has marked a folder,
 * there are none to read.
 */
export async function findAudioStoreProblem(connection: DatabaseConnection, root: string): Promise<string | null> {
  const known = (await systemFactModel(connection).findById(factId).lean())?.value
  if (known === undefined || known === gridFsMark) return null
  try {
    if ((await readMark(root)) === known) return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given'
    return `The recordings in ${root} cannot be read (${code}).`
  }
  return `${root} is not the folder in which the server keeps recordings: share DATA_DIR/audio between the hosts.`
}

/** Writes a mark. Returns the one in effect afterwards: another server may be writing its mark at the same time. */
async function writeMark(root: string): Promise<string> {
  const path = join(root, markName)
  const mark = randomUUID()
  // Readable by as few as the recordings themselves: see disk-store.ts.
  const mode = 0o600
  try {
    await writeFile(path, `${mark}\n`, { mode, flag: 'wx' })
    return mark
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  const other = await readMark(root)
  if (other) return other
  await writeFile(path, `${mark}\n`, { mode }) // the file is empty if the disk was full
  return mark
}

/** Returns the mark; undefined where there is none. */
async function readMark(root: string): Promise<string | undefined> {
  try {
    return (await readFile(join(root, markName), 'utf8')).trim() || undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
