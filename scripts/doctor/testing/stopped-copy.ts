import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withEmbeddedSnapshot } from '#data/embedded-snapshot.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { DoctorInstance } from './instance.ts'

/** Copies an instance to a folder that no process uses. */
export async function copyStopped(instance: DoctorInstance): Promise<string> {
  const copy = await temporaryFolder()
  const database = join(instance.dataDir, 'db')
  await cp(instance.dataDir, copy, { recursive: true, filter: (path) => !path.startsWith(database) })
  await mkdir(join(copy, 'db'), { mode: 0o700 })
  const { db } = instance.server.services.database.connection
  if (!db) throw new Error('The database is closed')
  const { signal } = new AbortController()
  await withEmbeddedSnapshot(db, { signal }, (file) => cp(file, join(copy, 'db', 'awaz.sqlite')))
  return copy
}
