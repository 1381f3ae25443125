import { hasBackupFailed, type HostFacts } from '../state/host-facts.ts'
import { sampleOf, type MetricSample } from './metric-sample.ts'

const daySeconds = 24 * 60 * 60

/** Returns a function that samples disks, backups, the certificate of PUBLIC_URL and failed sign-ins. */
export function createHostSamples(readFacts: () => Promise<HostFacts>): () => Promise<MetricSample[]> {
  return async () => {
    const { rooms, diskDaysLeft, backups, certificateEnd, failedSignInsLastHour } = await readFacts()
    const folders = Object.entries(rooms)
    return [
      {
        name: 'awaz_disk_free_bytes',
        help: 'Free room for DATA_DIR (data) and BACKUP_DIR (backup); uploads are refused below 512 MiB',
        values: folders.map(([folder, { freeBytes }]) => ({ labels: { folder }, value: freeBytes })),
      },
      {
        name: 'awaz_disk_size_bytes',
        help: 'Size of the file systems of DATA_DIR (data) and BACKUP_DIR (backup)',
        values: folders.map(([folder, { sizeBytes }]) => ({ labels: { folder }, value: sizeBytes })),
      },
      sampleOf(
        'awaz_disk_seconds_until_full',
        'Time until DATA_DIR is full, by the recordings of the last 30 days',
        diskDaysLeft * daySeconds,
      ),
      sampleOf(
        'awaz_backup_last_success_timestamp_seconds',
        'When the last backup was finished; missing before the first',
        toSeconds(backups.made),
      ),
      sampleOf('awaz_backup_last_failed', 'Whether the last backup failed: 1 or 0', hasBackupFailed(backups) ? 1 : 0),
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
      sampleOf(
        'awaz_failed_sign_ins_last_hour',
        'Sign-ins that failed or were denied in the last hour',
        failedSignInsLastHour,
      ),
    ]
  }
}

function toSeconds(moment: Date | undefined): number | undefined {
  return moment && moment.getTime() / 1000
}
