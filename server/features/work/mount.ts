import { cancelJobs } from '#data/jobs/cancel.ts'
import type { AppRouter } from '#server/http/context.ts'
import type { Services } from '#server/services.ts'
import { mountAudio } from '../audio/routes.ts'
import { toObjectId } from '../jobs/long-work.ts'
import { mountJobs } from '../jobs/routes.ts'
import { mountTranscription } from '../jobs/transcription-routes.ts'
import { mountTranslation } from '../jobs/translation-routes.ts'
import { mountRecordings } from '../recordings/routes.ts'
import { addEngineChecks } from '../system/engine-checks.ts'

const hourMs = 3_600_000

/** Every endpoint of recordings, audio and jobs, with what readiness and the deletion of users need of them. */
export function mountWork(router: AppRouter, services: Services): void {
  const { work, cookies, userRemovers, userStoppers, limiter, config } = services
  const countUpload = (userId: string) =>
    limiter.count({ name: 'upload', key: userId, limit: config.rates.uploadPerHour, windowMs: hourMs })
  mountAudio(router, work, { readAudioCookie: cookies.readAudio, countUpload })
  mountTranscription(router, work)
  mountTranslation(router, work)
  mountJobs(router, work, work.shutdown)
  mountRecordings(router, work)
  userRemovers.push(work.removeUser)
  userStoppers.push((userId) => cancelJobs(work.queue, toObjectId(userId)))
  addEngineChecks(services)
}
