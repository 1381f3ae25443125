import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/*
 * An exported database is a folder in the format of mongodump (`<collection>.bson`, documents one after another, and
 * `<collection>.metadata.json` with the indexes), so that mongorestore reads it too. `manifest.json` is an addition, written
 * last: without it, the export is incomplete.
 */

export const manifestFile = 'manifest.json'

const Manifest = z.object({
  format: z.literal(1),
  exportedAt: z.iso.datetime(),
  collections: z.array(z.object({ name: z.string(), documents: z.int().nonnegative(), sha256: z.hex() })),
})
export type Manifest = z.infer<typeof Manifest>

export function documentsFile(folder: string, collection: string): string {
  return join(folder, `${encodeURIComponent(collection)}.bson`)
}

export function metadataFile(folder: string, collection: string): string {
  return join(folder, `${encodeURIComponent(collection)}.metadata.json`)
}

/** Reads the manifest. Throws an Error when the folder holds no complete export. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestFile)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${folder} holds no whole export: there is no ${manifestFile}.`, { cause: error })
  })
  return Manifest.parse(JSON.parse(text))
}

export interface MovedCollection {
  name: string
  documents: number
}

export interface MoveOptions {
  /** Connection string of the database to read or write. */
  uri: string
  /** Default: the database in the connection string. */
  dbName?: string
  folder: string
  /** Called after each collection. */
  onCollection?: (collection: MovedCollection) => void
}
