import { Progress, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import type { InstanceState, InstanceWarning } from '#contract/entities/instance-state.ts'
import { t } from '#contract/texts/t.ts'
import {
  formatAgo,
  formatDate,
  formatNumber,
  formatPercent,
  formatSize,
  formatTimeLeft,
} from '../../../shared/format.ts'
import { formatSpeed } from '../format-speed.ts'
import {
  AddedChart,
  speedFactor,
  formatLineSpeed,
  QueueChart,
  TranscriptionSpeedChart,
  TranslationSpeedChart,
} from './history-charts.tsx'
import classes from './state.module.css'

type Code = InstanceWarning['code']

/** Tiles for queue, disks, backups, database, certificate and sign-ins. A tile with a warning takes the warning's colour. */
export function StateTiles({ state }: { state: InstanceState }) {
  const { queue, backups, disk, work } = state
  const severityOf = (...codes: Code[]) => state.warnings.find(({ code }) => codes.includes(code))?.severity
  return (
    <SimpleGrid component="ul" minColWidth="min(17rem, 100%)" spacing="sm">
      <Tile
        heading={t('Queue')}
        value={queue.waiting === 0 ? t('Nothing waits') : t('{count, number} waiting', { count: queue.waiting })}
        severity={severityOf('queue_old', 'jobs_fail', 'jobs_abandoned')}
      >
        {queue.waiting > 0 && <p>{t('The oldest: {time}.', { time: formatTimeLeft(queue.oldest_waiting_seconds) })}</p>}
        <p>
          {t('Last 24 hours: {ended, number} ended, {failed, number} failed.', {
            ended: queue.ended_last_day,
            failed: queue.failed_last_day,
          })}
        </p>
        <QueueChart days={work} />
      </Tile>
      <Tile
        heading={t('Disk')}
        value={t('{size} free', { size: formatSize(disk.data.free_bytes) })}
        severity={severityOf('disk_full', 'disk_full_soon')}
      >
        <Used room={disk.data} label={t('Used of the disk of DATA_DIR')} />
        <p>{describeDaysLeft(disk.days_left)}</p>
        <AddedChart days={disk.added} />
      </Tile>
      <Tile heading={t('Transcription')} value={formatSpeed(speedFactor(work))}>
        <TranscriptionSpeedChart days={work} />
      </Tile>
      <Tile heading={t('Translation')} value={formatLineSpeed(work)}>
        <TranslationSpeedChart days={work} />
      </Tile>
      <Tile
        heading={t('Backup')}
        value={backups.made_at ? formatAgo(backups.made_at) : t('None')}
        severity={severityOf(
          'backup_missing',
          'backup_old',
          'backup_failed',
          'backup_disk_full',
          'rehearsal_failed',
          'rehearsal_old',
        )}
      >
        <BackupFacts backups={backups} room={disk.backup} isUnrestored={severityOf('rehearsal_failed') !== undefined} />
      </Tile>
      <Tile
        heading={t('Database')}
        value={formatMilliseconds(state.database_response_ms)}
        severity={severityOf('database_slow')}
      >
        <p>{t('Time of one small query.')}</p>
      </Tile>
      <Tile
        heading={t('Certificate')}
        value={state.certificate_ends_at ? formatDate(state.certificate_ends_at) : t('None')}
        severity={severityOf('certificate_ends')}
      >
        <p>
          {state.certificate_ends_at
            ? t('When the certificate of the public address expires.')
            : t('The public address has none, or does not answer from here.')}
        </p>
      </Tile>
      <Tile
        heading={t('Failed sign-ins')}
        value={formatNumber(state.failed_sign_ins_last_hour)}
        severity={severityOf('sign_ins_fail')}
      >
        <p>{t('In the last hour.')}</p>
      </Tile>
    </SimpleGrid>
  )
}

interface TileProps {
  heading: string
  value: string
  severity?: InstanceWarning['severity'] | undefined
  children: ReactNode
}

function Tile({ heading, value, severity, children }: TileProps) {
  return (
    <li className={classes.tile} data-severity={severity}>
      <h3>{heading}</h3>
      <p className={classes.value}>{value}</p>
      {children}
    </li>
  )
}

interface BackupFactsProps {
  backups: InstanceState['backups']
  room: InstanceState['disk']['backup']
  /** Whether the last rehearsal failed and no archive has been made since: an older rehearsal that passed then proves nothing. */
  isUnrestored: boolean
}

function BackupFacts({ backups, room, isUnrestored }: BackupFactsProps) {
  const { is_scheduled, made_at, failed_at, rehearsed_at } = backups
  return (
    <>
      <p>{is_scheduled ? t('Made every day.') : t('No time of day is set for it.')}</p>
      {failed_at && <p>{t('The last failure: {ago}.', { ago: formatAgo(failed_at) })}</p>}
      {isUnrestored && <p>{t('A backup could not be restored in a rehearsal')}</p>}
      {made_at && !isUnrestored && (
        <p>
          {rehearsed_at
            ? t('Rehearsed {rehearsedAt}.', { rehearsedAt: formatAgo(rehearsed_at) })
            : t('Never rehearsed: nobody knows whether it restores.')}
        </p>
      )}
      {room && (
        <>
          <Used room={room} label={t('Used of the disk of BACKUP_DIR')} />
          <p>{t('{size} free for backups.', { size: formatSize(room.free_bytes) })}</p>
        </>
      )}
    </>
  )
}

function Used({ room, label }: { room: InstanceState['disk']['data']; label: string }) {
  const used = room.size_bytes === 0 ? 0 : 1 - room.free_bytes / room.size_bytes
  return (
    <Progress
      value={used * 100}
      size="sm"
      aria-label={label}
      title={t('{share} of {size} used', { share: formatPercent(used), size: formatSize(room.size_bytes) })}
    />
  )
}

function describeDaysLeft(days: number | null): string {
  if (days === null) return t('No recording was added within 30 days.')
  if (days > 3650) return t('At the pace of the last 30 days it lasts for years.')
  if (days >= 2) {
    return t('Full in {days, plural, one {# day} other {# days}} at the pace of the last 30.', {
      days: Math.floor(days),
    })
  }
  return days >= 1 ? t('Full tomorrow at the pace of the last 30 days.') : t('Full within a day.')
}

function formatMilliseconds(ms: number): string {
  return ms < 1 ? t('under 1 ms') : t('{ms, number} ms', { ms: Math.round(ms) })
}
