import { stat } from 'node:fs/promises'
import type { AuditEventRepository } from '#data/audit/audit-events.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { estimateDiskGrowth, readDiskRoom } from '#data/health/disk-room.ts'
import { ifExists } from '#data/if-exists.ts'
import { readCertificateEnd } from './certificate.ts'
import { keepFor, sampleOf, type MetricSample } from './metric-sample.ts'

interface HostSamplesDeps {
  config: Pick<Config, 'backup' | 'dataDir' | 'publicUrl'>
  connection: DatabaseConnection
  events: Pick<AuditEventRepository, 'countFailures' | 'findLastTime'>
  clock: Clock
}

const daySeconds = 24 * 60 * 60
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Returns a function that reads disks, backups, the certificate of PUBLIC_URL and failed sign-ins. */
export function createHostSamples({
  config,
  connection,
  events,
  clock,
}: HostSamplesDeps): () => Promise<MetricSample[]> {
  const readGrowth = keepFor(10 * minuteMs, () =>
    estimateDiskGrowth(connection, { folder: config.dataDir, now: new Date(clock.now()) }),
  )
  const readBackups = keepFor(minuteMs, async () => ({
    made: await events.findLastTime('backup.create', 'success'),
    failed: await events.findLastTime('backup.create', 'failure'),
    rehearsed: await events.findLastTime('backup.rehearse', 'success'),
  }))
  const readCertificate = keepFor(hourMs, () => readCertificateEnd(config.publicUrl))
  return async () => {
    const [rooms, growth, backups, certificateEnd, failedSignIns] = await Promise.all([
      readRooms(config),
      readGrowth(),
      readBackups(),
      readCertificate(),
      events.countFailures('auth.signin', new Date(clock.now() - hourMs)),
    ])
    return [
      {
        name: 'awaz_disk_free_bytes',
        help: 'Free room for DATA_DIR (data) and BACKUP_DIR (backup); uploads are refused below 512 MiB',
        values: rooms.map(({ folder, freeBytes }) => ({ labels: { folder }, value: freeBytes })),
      },
      {
        name: 'awaz_disk_size_bytes',
        help: 'Size of the file systems of DATA_DIR (data) and BACKUP_DIR (backup)',
        values: rooms.map(({ folder, sizeBytes }) => ({ labels: { folder }, value: sizeBytes })),
      },
      sampleOf(
        'awaz_disk_seconds_until_full',
        'Time until DATA_DIR is full, by the recordings of the last 30 days',
        growth.daysLeft * daySeconds,
      ),
      sampleOf(
        'awaz_backup_last_success_timestamp_seconds',
        'When the last backup was finished; missing before the first',
        toSeconds(backups.made),
      ),
      sampleOf('awaz_backup_last_failed', 'Whether the last backup failed: 1 or 0', hasFailed(backups) ? 1 : 0),
      sampleOf(
        'awaz_backup_last_rehearsal_timestamp_seconds',
        'When a backup was last rehearsed; missing before the first',
        toSeconds(backups.rehearsed),
      ),
      sampleOf(
        'awaz_certificate_expiry_timestamp_seconds',
        'When the certificate of PUBLIC_URL ends; missing for http, and where nothing answers there',
        toSeconds(certificateEnd),
      ),
      sampleOf('awaz_failed_sign_ins_last_hour', 'Sign-ins that failed or were denied in the last hour', failedSignIns),
    ]
  }
}

async function readRooms({ dataDir, backup }: Pick<Config, 'backup' | 'dataDir'>) {
  const folders = { data: dataDir, ...(backup.folder !== undefined && { backup: backup.folder }) }
  const rooms = []
  for (const [folder, path] of Object.entries(folders)) {
    if (await ifExists(() => stat(path))) rooms.push({ folder, ...(await readDiskRoom(path)) })
  }
  return rooms
}

function hasFailed({ made, failed }: { made: Date | undefined; failed: Date | undefined }): boolean {
  return failed !== undefined && failed.getTime() > (made?.getTime() ?? 0)
}

function toSeconds(moment: Date | undefined): number | undefined {
  return moment && moment.getTime() / 1000
}
