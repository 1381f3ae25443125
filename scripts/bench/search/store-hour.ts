import { newId } from '#data/ids.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import type { StoredLine } from '#data/search/stored-lines.ts'
import { writeSearchEntry } from '#data/search/write-entry.ts'

/** Stores a recording of an hour and indexes its lines, as an engine does after transcribing it. */
export async function storeHour(connection: DatabaseConnection, ownerId: string, name: string, lines: StoredLine[]) {
  const id = newId()
  await insertRecording(connection, {
    id,
    ownerId,
    name,
    extension: 'wav',
    sizeBytes: 1,
    sha256: 'none',
    durationMs: 3_600_000,
    channels: 2,
    isStereo: true,
    peaks: [],
  })
  const language = lines[0]?.language ?? null
  await writeSearchEntry(connection, { ownerId, id }, { lines, fingerprint: 'bench', language })
  return id
}
