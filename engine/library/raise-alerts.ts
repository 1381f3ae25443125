import type { DatabaseConnection } from '#data/connect.ts'
import { scheduleDigest } from '#data/alerts/alert-digests.ts'
import {
  listAlertPlaces,
  readHandledJobs,
  removeAlerts,
  saveRun,
  setAlertsHidden,
  type AlertPlace,
} from '#data/alerts/raised-alerts.ts'
import { createWatchListRepository, type WatchListRecord } from '#data/alerts/watch-lists.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { markAnnotated } from '#data/recordings/annotations.ts'
import { oweWebhooks } from '#data/webhooks/owe-webhooks.ts'
import { applyWatchLists, isWatched } from './alerts/apply-watch-lists.ts'
import { markGone } from './alerts/mark-gone.ts'
import type { CurrentRecording, LibraryStep } from './changed-recording.ts'

/** Alerts that a repair raises again for an older job were already announced when it finished. */
const maxNewsAgeMs = 24 * 3_600_000

/**
 * Returns the step that applies the watch lists of an owner to each finished job. Which jobs they were applied to is stored last, so the
 * step is repeated after an engine was killed, and hits that already have an alert do not get a second one.
 */
export function createRaiseAlerts(connection: DatabaseConnection): LibraryStep {
  const watchLists = createWatchListRepository(connection)

  return async ({ id: recordingId, ownerId, isRepair = false, current }) => {
    const owner = { ownerId, recordingId }
    if (!current) return removeAlerts(connection, owner)
    const known = await listAlertPlaces(connection, owner)
    if (known.some(({ isHidden }) => isHidden)) {
      await setAlertsHidden(connection, { ownerId, recordingIds: [recordingId], isHidden: false })
    }
    const active = (await watchLists.list(ownerId)).filter(({ isOn }) => isOn)
    const finished = active.length > 0 ? await findFinished(current) : []
    const last = finished[0]
    if (last) await raise(current, { known, active, finished, last, isRepair })
    if (known.length === 0) return
    const { lines } = await current.readText()
    if (await markGone(connection, ownerId, { known, lines })) await markAnnotated(connection, owner)
  }

  /** Returns the finished jobs to which the watch lists have not been applied, the last one first. */
  async function findFinished({ recording: { id, ownerId }, jobs }: CurrentRecording): Promise<JobRecord[]> {
    const done = jobs.filter(({ state, kind }) => state === 'done' && kind !== 'diarize')
    if (done.length === 0) return []
    const handled = await readHandledJobs(connection, { ownerId, recordingId: id })
    return done.filter((job) => !handled.has(job.id))
  }

  async function raise(
    { recording, jobs, readText }: CurrentRecording,
    {
      known,
      active,
      finished,
      last,
      isRepair,
    }: { known: AlertPlace[]; active: WatchListRecord[]; finished: JobRecord[]; last: JobRecord; isRepair: boolean },
  ): Promise<void> {
    const { id: recordingId, ownerId } = recording
    const owner = { ownerId, recordingId }
    const now = await readDatabaseTime(connection)
    const isNews = !isRepair || (last.finishedAt ?? now).getTime() > now.getTime() - maxNewsAgeMs
    const isLater = ({ activeSince }: WatchListRecord) => finished.some((job) => (job.finishedAt ?? 0) >= activeSince)
    const applied = active.filter((watchList) => isLater(watchList) && isWatched(watchList, recording))
    if (applied.length > 0) {
      const text = await readText()
      const jobId = last.id
      await applyWatchLists(connection, { recording, text, watchLists: applied, known, jobId, isDigestDue: isNews })
      await announce(owner, { jobId, watchLists: applied, isNews })
    }
    await saveRun(connection, owner, { jobIds: jobs.filter(({ state }) => state === 'done').map(({ id }) => id) })
  }

  /** Notifies browsers (and, for news, webhooks and the next mail) of the alerts that a job raised, including those of a killed engine. */
  async function announce(
    owner: { ownerId: string; recordingId: string },
    { jobId, watchLists: applied, isNews }: { jobId: string; watchLists: WatchListRecord[]; isNews: boolean },
  ): Promise<void> {
    const raised = (await listAlertPlaces(connection, owner)).filter((alert) => alert.jobId === jobId)
    if (raised.length === 0) return
    if (!(await markAnnotated(connection, owner))) return removeAlerts(connection, owner)
    if (!isNews) return
    const counts = Map.groupBy(raised, ({ watchListId }) => watchListId)
    await oweWebhooks(connection, owner.ownerId, {
      key: `alerts:${jobId}`,
      type: 'alert.raised',
      data: {
        recording_id: owner.recordingId,
        job_id: jobId,
        alerts: raised.length,
        watch_lists: applied
          .filter(({ id }) => counts.has(id))
          .map(({ id }) => ({ id, alerts: counts.get(id)?.length ?? 0 })),
      },
    })
    await scheduleDigest(connection, owner.ownerId, await readDatabaseTime(connection))
  }
}
