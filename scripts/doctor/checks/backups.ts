import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { ifExists } from '#data/if-exists.ts'
import { verifyBackup } from '../../backup/read/verify-backup.ts'
import { listRecords, type BackupRecord, type RecordList } from '../../backup/store/backup-record.ts'
import { blobPath } from '../../backup/store/blob-store.ts'
import { amountTexts, listSome } from '#server/features/system/state/amount-texts.ts'
import { healthIssues } from '#server/features/system/state/health-issues.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'backup.not_set_up': {
    ...healthIssues['backup.not_set_up'],
    // Only a note, so that a new instance passes its checks.
    severity: 'note',
    why: 'A lost disk loses everything.',
  },
  'backup.folder': {
    severity: 'problem',
    title: 'BACKUP_DIR cannot be read',
    why: 'No backup can be made.',
    remedy: 'Mount its disk, or create the folder, owned by the user that Awaz runs as.',
  },
  'backup.none': {
    ...healthIssues['backup.none'],
    why: 'A lost disk loses everything.',
  },
  'backup.old': {
    ...healthIssues['backup.old'],
    why: 'What was recorded since is in no backup.',
  },
  'backup.future': {
    severity: 'warning',
    title: 'A backup is dated in the future',
    why: 'The clock was wrong; it does not count as a backup of today, and old ones may be kept or deleted wrongly.',
    remedy: 'Check the clock of this machine, then delete that backup or wait for its day.',
  },
  'backup.failed': {
    ...healthIssues['backup.failed'],
    why: 'What was recorded since the one before is in no backup.',
  },
  'backup.faulty_audio': {
    severity: 'warning',
    title: 'The newest backup lacks sound, which was missing or damaged when it was made',
    why: 'Only older backups may have it.',
    remedy:
      'npm run awaz -- restore FILE --all-damaged restores what an older backup has, before that one is deleted (docs/backup.md, "One recording").',
    command: 'npm run awaz -- restore FILE --all-damaged',
  },
  'backup.damaged_documents': {
    severity: 'warning',
    title: 'The newest backup has documents that were damaged when it was made',
    why: 'Only older backups may have them whole. The disk or the memory of this machine lost bits.',
    remedy:
      'npm run awaz -- backup verify FILE names them; take them from an older backup before it is deleted (docs/backup.md).',
    command: 'npm run awaz -- backup verify FILE',
  },
  'backup.damaged': {
    severity: 'problem',
    title: 'A file of the newest backup is missing or damaged',
    why: 'It does not restore whole.',
    remedy:
      'npm run awaz -- backup --check-all makes another and replaces damaged sound; then npm run awaz -- backup verify it.',
    command: 'npm run awaz -- backup --check-all',
  },
  'backup.record': {
    severity: 'warning',
    title: 'The record of a backup is damaged or missing',
    why: 'While it is, no old backup is deleted, and the folder grows.',
    remedy: 'Put the record back from a copy of the folder, or delete that archive.',
  },
  'backup.rehearsal': {
    ...healthIssues['backup.rehearsal'],
    why: 'Only a rehearsal proves that a backup restores, and that the passphrase is the right one.',
  },
} as const

const finding = findingsOf(findings)
const dayMs = 24 * 3_600_000
/** Leaves room for a backup that takes long, and for another attempt after one that failed. */
const maxAgeDays = { daily: 2, byHand: 8 }
const maxRehearsalAgeDays = 40

/** Checks the age and files of backups, and the last rehearsal. */
export const backupsCheck: Check<DatabaseContext> = { name: 'backups', findings, run }

async function run(context: DatabaseContext): Promise<Finding[]> {
  const { config, now } = context
  const { folder } = config.backup
  const last = await findLast(context, 'backup.create')
  const rehearsed = await findLast(context, 'backup.rehearse', 'success')
  if (folder === undefined && !last) return [finding('backup.not_set_up', 'No backup was made of this instance.')]
  const found = folder === undefined ? checkTrail(last?.at, now()) : await checkFolder(context, folder)
  if (last?.outcome === 'failure') found.push(finding('backup.failed', `It failed on ${dateOf(last.at)}.`))
  if (daysBetween(rehearsed?.at ?? (await firstBackupAt(context)), now()) > maxRehearsalAgeDays)
    found.push(finding('backup.rehearsal', rehearsed ? `The last was on ${dateOf(rehearsed.at)}.` : 'There was none.'))
  return found
}

/** Backups made elsewhere are known only from the audit trail. */
function checkTrail(lastAt: Date | undefined, now: Date): Finding[] {
  if (daysBetween(lastAt, now) <= maxAgeDays.byHand) return []
  return [finding('backup.old', `The last was made on ${lastAt ? dateOf(lastAt) : 'no day'}.`)]
}

async function checkFolder(context: DatabaseContext, folder: string): Promise<Finding[]> {
  const { config, now } = context
  let list: RecordList
  try {
    list = await listRecords(folder)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given'
    return [finding('backup.folder', `${folder} cannot be read (${code}).`)]
  }
  const found = [...list.unreadable.map(({ path }) => path), ...list.unrecorded].map((path) =>
    finding('backup.record', `${path} is damaged, or has no record.`),
  )
  const isFuture = ({ createdAt }: BackupRecord) => new Date(createdAt) > now()
  for (const { archive, createdAt } of list.records.filter(isFuture))
    found.push(finding('backup.future', `${archive.name} is of ${createdAt}.`))
  const newest = list.records.filter((record) => !isFuture(record)).at(-1)
  if (!newest) return [...found, finding('backup.none', `${folder} holds none.`)]
  const days = daysBetween(new Date(newest.createdAt), now())
  if (days > (config.backup.time === undefined ? maxAgeDays.byHand : maxAgeDays.daily))
    found.push(finding('backup.old', `${newest.archive.name} is ${amountTexts.days(Math.floor(days))} old.`))
  if (newest.faultyRecordings > 0)
    found.push(
      finding(
        'backup.faulty_audio',
        `The sound of ${amountTexts.recordings(newest.faultyRecordings)} is not in ${newest.archive.name}.`,
      ),
    )
  if (newest.damagedDocuments !== undefined)
    found.push(
      finding(
        'backup.damaged_documents',
        `Damaged in ${newest.archive.name}: ${amountTexts.documents(newest.damagedDocuments)}.`,
      ),
    )
  return [...found, ...(await checkNewest(context, folder, newest))]
}

/** Compares sizes; with --all also every byte, by the hashes of the encrypted files. */
async function checkNewest(
  { isThorough, signal, onProgress }: DatabaseContext,
  folder: string,
  { archive, blobs }: BackupRecord,
): Promise<Finding[]> {
  const path = join(folder, archive.name)
  const files = [{ ...archive, path }, ...blobs.map((blob) => ({ ...blob, path: blobPath(folder, blob.name) }))]
  const different: string[] = []
  for (const file of files) {
    signal.throwIfAborted()
    const info = await ifExists(() => stat(file.path))
    if (info?.size !== file.sizeBytes) different.push(file.path)
  }
  if (different.length > 0)
    return [
      finding(
        'backup.damaged',
        `Missing, or of another size: ${amountTexts.files(different.length)} (${listSome(different)}).`,
      ),
    ]
  if (!isThorough) return []
  const { problems } = await verifyBackup({ path, signal, onProgress })
  return problems.slice(0, 5).map((problem) => finding('backup.damaged', problem))
}

async function findLast({ connection }: DatabaseContext, action: string, outcome = '') {
  const query = { search: '', action, outcome }
  const { events } = await createAuditEventRepository(connection).list(query, { page: 1, perPage: 1 })
  return events[0]
}

/** A new instance has 40 days from its first backup until its first rehearsal is due. */
async function firstBackupAt({ connection }: DatabaseContext): Promise<Date | undefined> {
  const events = createAuditEventRepository(connection)
  const query = { search: '', action: 'backup.create', outcome: 'success' }
  const { total } = await events.list(query, { page: 1, perPage: 1 })
  if (total === 0) return undefined
  return (await events.list(query, { page: total, perPage: 1 })).events[0]?.at
}

/** Returns 0 without a start time. */
function daysBetween(from: Date | undefined, to: Date): number {
  return from ? (to.getTime() - from.getTime()) / dayMs : 0
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
