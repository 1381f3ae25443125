import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { Job } from '#contract/entities/job.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { toastAction } from '../action-toast.tsx'
import { call } from '../api/client.ts'
import { readNotificationPermission } from '../browser-notifications.ts'
import { claimOnce } from '../claim-once.ts'
import { readUploadedFile } from '../recordings/uploaded-file.ts'
import { useSettings, type Settings } from '../settings.ts'
import { isActive } from './jobs.ts'

/** A visible tab goes first; hidden ones notify only if there is none. */
const hiddenDelayMs = 1000

/**
 * Notifies the user once per browser that a job has ended: with a toast in the visible tab, unless it shows the recording; with a browser
 * notification if all tabs are hidden.
 */
export function useJobNotices(): void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  const { settings } = useSettings()

  const tell = useEffectEvent(async (job: Job) => {
    if (!isWanted(job, settings.notifications) || job.recording_id === null) return
    if (document.hidden) await new Promise((resolve) => setTimeout(resolve, hiddenDelayMs))
    if (!(await claimOnce(`job-notice:${job.id}`))) return
    const path = `/transcribe?recording=${job.recording_id}`
    if (document.hidden) {
      if (settings.notifications.push) showNotification(job, () => void navigate(path))
      return
    }
    if (shownRecordingId(location) === job.recording_id) return
    toastAction(describeEnd(job, await findName(client, job.recording_id)), {
      label: t('Open'),
      act: () => void navigate(path),
    })
  })

  useEffect(() => {
    const activeIds = new Set<string>()
    return client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey[0] !== 'jobs') return
      for (const job of Object.values(client.getQueryData<Record<string, Job>>(['jobs']) ?? {})) {
        if (isActive(job)) activeIds.add(job.id)
        else if (activeIds.delete(job.id)) void tell(job)
      }
    })
  }, [client])
}

/** Whether to report the end of a job. For a batch, only its end is reported, not that of each job. */
function isWanted({ kind, state, batch_id: batchId }: Job, notifications: Settings['notifications']): boolean {
  if (state === 'cancelled' || batchId !== undefined) return false
  return kind === 'translate' ? notifications.translationComplete : notifications.transcriptionComplete
}

function shownRecordingId({ pathname, search }: { pathname: string; search: string }): string | null | undefined {
  if (pathname !== '/transcribe') return undefined
  return new URLSearchParams(search).get('recording') ?? readUploadedFile()?.backendId
}

function describeEnd({ kind, state }: Job, name: string | undefined): string {
  if (name === undefined) {
    return state === 'done'
      ? t(
          '{kind, select, transcribe {A transcription is finished.} translate {A translation is finished.} other {A speaker diarization is finished.}}',
          { kind },
        )
      : t(
          '{kind, select, transcribe {A transcription has failed.} translate {A translation has failed.} other {A speaker diarization has failed.}}',
          { kind },
        )
  }
  const values = { kind, name: isolateName(name) }
  return state === 'done'
    ? t(
        '{kind, select, transcribe {The transcription of {name} is finished.} translate {The translation of {name} is finished.} other {The speaker diarization of {name} is finished.}}',
        values,
      )
    : t(
        '{kind, select, transcribe {The transcription of {name} has failed.} translate {The translation of {name} has failed.} other {The speaker diarization of {name} has failed.}}',
        values,
      )
}

/** Shows a notification without the recording's name, because it may appear on a locked screen. */
function showNotification(job: Job, open: () => void): void {
  if (readNotificationPermission() !== 'granted') return
  const notification = new Notification('Awaz', { body: describeEnd(job, undefined), tag: job.id })
  notification.addEventListener('click', () => {
    window.focus()
    open()
    notification.close()
  })
}

/** Recordings just worked on are among the newest. */
const newest = { page: 1, per_page: 50, search: '' }

/** Returns the name of a recording, fetching it if needed: calls no longer on screen are dropped from the cache. */
async function findName(client: QueryClient, recordingId: string): Promise<string | undefined> {
  const loaded = client.getQueryData<RecordingDetails>(['recording', recordingId])
  if (loaded) return loaded.name
  const list = await call(recordings.list, { query: newest }).catch(() => undefined)
  return list?.recordings.find(({ id }) => id === recordingId)?.name
}
