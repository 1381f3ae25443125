import { AppError } from '#contract/app-error.ts'
import { listRecords, type BackupRecord } from '../store/backup-record.ts'
import { describeBytes, describeDamagedCount, describeFaulty } from './describe.ts'

const encryptions: Record<BackupRecord['encryption'], string> = {
  passphrase: 'passphrase',
  recipients: 'recipients',
  none: 'not encrypted',
}

/** `awaz backup list DIR`: one line per finished backup, oldest first. Returns 1 where a record is damaged. */
export async function listBackups(folder: string, { json }: { json: boolean }): Promise<number> {
  const { records, unreadable } = await listRecords(folder).catch((cause: unknown) => {
    throw new AppError('not_found', `The folder ${folder} cannot be read.`, { cause })
  })
  if (json) {
    console.log(JSON.stringify({ backups: records.map(present), unreadable }, null, 2))
    return unreadable.length > 0 ? 1 : 0
  }
  for (const record of records) console.log(describe(record))
  for (const { path, problem } of unreadable) console.error(`${path} is damaged: ${problem}.`)
  if (records.length === 0) console.error(`There is no finished backup in ${folder}.`)
  return unreadable.length > 0 ? 1 : 0
}

/** Returns the record without the fields that only other commands need. */
function present(record: BackupRecord) {
  const { archive, blobs: _blobs, product: _product, format: _format, ...shown } = record
  return { name: archive.name, ...shown, sizeBytes: sizeOf(record) }
}

/** Returns the total size in bytes of the archive and of all audio that it needs. */
function sizeOf({ archive, blobs }: BackupRecord): number {
  return archive.sizeBytes + blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

function describe(record: BackupRecord): string {
  const { archive, createdAt, version, encryption, documents, damagedDocuments, newBytes } = record
  const sizes = `${describeBytes(sizeOf(record))}, ${describeBytes(newBytes)} of it new`
  const recordings = `${record.recordings} recordings${describeFaulty(record.faultyRecordings)}`
  const counts = `${documents} documents${describeDamagedCount(damagedDocuments)}, ${recordings}`
  return `${archive.name}  ${createdAt.slice(0, 19).replace('T', ' ')} UTC  ${counts}, ${sizes}  (Awaz ${version}, ${encryptions[encryption]})`
}
