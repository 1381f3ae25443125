import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { BSON, type Collection } from 'mongodb'
import { connectClient } from '#data/connect.ts'
import {
  manifestFile,
  documentsFile,
  metadataFile,
  type Manifest,
  type MoveOptions,
  type MovedCollection,
} from './dump-format.ts'

/**
 * Writes every collection of a database with its indexes into a new or empty folder, 0700. Documents are copied byte by
 * byte. Nothing may write during the export: the collections are read one after another.
 *
 * @throws Error when the folder holds anything.
 */
export async function exportDatabase({ uri, dbName, folder, onCollection }: MoveOptions): Promise<MovedCollection[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty. Name a new folder for the export.`)
  const client = await connectClient(uri)
  try {
    const db = client.db(dbName)
    const manifest: Manifest = { format: 1, exportedAt: new Date().toISOString(), collections: [] }
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      if (name.startsWith('system.')) continue
      const entry = await exportCollection(db.collection(name), folder)
      manifest.collections.push(entry)
      onCollection?.(entry)
    }
    await writeDurably(join(folder, manifestFile), JSON.stringify(manifest, undefined, 2))
    return manifest.collections
  } finally {
    await client.close()
  }
}

async function exportCollection(collection: Collection, folder: string): Promise<Manifest['collections'][number]> {
  const { collectionName: name } = collection
  const indexes = await collection.listIndexes().toArray()
  await writeDurably(metadataFile(folder, name), BSON.EJSON.stringify({ collectionName: name, indexes, options: {} }))
  const output = createWriteStream(documentsFile(folder, name), { mode: 0o600, flags: 'wx', flush: true })
  const hash = createHash('sha256')
  let documents = 0
  try {
    for await (const bytes of collection.find<Uint8Array>({}, { raw: true }).sort({ _id: 1 })) {
      documents++
      hash.update(bytes)
      if (!output.write(bytes)) await once(output, 'drain')
    }
  } finally {
    output.end()
    await finished(output)
  }
  return { name, documents, sha256: hash.digest('hex') }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true })
  const folder = await open(join(path, '..'))
  await folder.sync().finally(() => folder.close())
}
