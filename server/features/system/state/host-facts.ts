import { stat } from 'node:fs/promises'
import type { AuditEventRepository } from '#data/audit/audit-events.ts'
import { readRehearsals } from '#data/audit/rehearsals.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { estimateDiskGrowth, readDiskRoom } from '#data/health/disk-room.ts'
import { ifExists } from '#data/if-exists.ts'
import { readCertificateEnd } from './certificate.ts'
import { keepFor } from './keep-for.ts'

interface HostFactsDeps {
  config: Pick<Config, 'backup' | 'dataDir' | 'publicUrl'>
  connection: DatabaseConnection
  events: Pick<AuditEventRepository, 'countFailures' | 'findLastTime' | 'stream'>
  clock: Clock
}

interface Room {
  freeBytes: number
  sizeBytes: number
}

/** The state of disks, backups, the certificate of PUBLIC_URL and failed sign-ins. */
export interface HostFacts {
  /** For DATA_DIR, and for BACKUP_DIR if it is set and mounted. */
  rooms: { data?: Room; backup?: Room }
  /** Days until DATA_DIR is full; Infinity if nothing has been added. */
  diskDaysLeft: number
  backups: {
    made: Date | undefined
    failed: Date | undefined
    rehearsed: Date | undefined
    /** When a rehearsal failed for an archive that has not passed one since. */
    notRestored: Date | undefined
  }
  certificateEnd: Date | undefined
  failedSignInsLastHour: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Returns a function that reads the facts. Slowly changing ones are cached: growth for 10 minutes, backups for one, the certificate for an
 * hour.
 */
export function createHostFacts({ config, connection, events, clock }: HostFactsDeps): () => Promise<HostFacts> {
  const readGrowth = keepFor(10 * minuteMs, () =>
    estimateDiskGrowth(connection, { folder: config.dataDir, now: new Date(clock.now()) }),
  )
  const readBackups = keepFor(minuteMs, async () => {
    // Earlier backups were made elsewhere, by the instance that this one was restored from.
    const restored = await events.findLastTime('backup.restore', 'success')
    const since = (at: Date | undefined) => (at && at > (restored ?? new Date(0)) ? at : undefined)
    return {
      made: since(await events.findLastTime('backup.create', 'success')),
      failed: since(await events.findLastTime('backup.create', 'failure')),
      rehearsed: await events.findLastTime('backup.rehearse', 'success'),
      notRestored: [...(await readRehearsals(events)).values()].find(({ isPassed }) => !isPassed)?.at,
    }
  })
  const readCertificate = keepFor(hourMs, () => readCertificateEnd(config.publicUrl))
  return async () => {
    const [data, backup, growth, backups, certificateEnd, failedSignInsLastHour] = await Promise.all([
      readRoom(config.dataDir),
      readRoom(config.backup.folder),
      readGrowth(),
      readBackups(),
      readCertificate(),
      events.countFailures('auth.signin', new Date(clock.now() - hourMs)),
    ])
    const rooms = { ...(data && { data }), ...(backup && { backup }) }
    return { rooms, diskDaysLeft: growth.daysLeft, backups, certificateEnd, failedSignInsLastHour }
  }
}

async function readRoom(folder: string | undefined): Promise<Room | undefined> {
  if (folder === undefined || !(await ifExists(() => stat(folder)))) return undefined
  return readDiskRoom(folder)
}

/** Returns whether the last backup failed. */
export function hasBackupFailed({ made, failed }: HostFacts['backups']): boolean {
  return failed !== undefined && failed.getTime() > (made?.getTime() ?? 0)
}
