import type { Clock } from '#data/clock.ts'
import { claimEndedJob } from '#data/jobs/claim-ended.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { jobEndedMail } from '../mail/templates/account-mails.ts'
import type { Users } from '../users/service.ts'

/** From the request to the end of the job. A user who waited less than this has probably not left the page. */
const longJobMs = 5 * 60_000
/** The next call takes the others. */
const maxPerCall = 200

interface JobMailsDeps {
  queue: Queue
  users: Pick<Users, 'findById'>
  mailer: Pick<Mailer, 'enqueue'>
  clock: Clock
  publicUrl: string
  /** Without a mail server mails are handed over by hand, which is no use for such a notice: none is written. */
  hasMailServer: boolean
}

/** Notifies users by mail that a job that took long has ended; each job once across servers. */
export function createJobMails({ queue, users, mailer, clock, publicUrl, hasMailServer }: JobMailsDeps) {
  function sendOne(job: JobRecord): void {
    const { state, finishedAt, createdAt, ownerId, recordingId, kind } = job
    const tookMs = (finishedAt?.getTime() ?? 0) - createdAt.getTime()
    if (!hasMailServer || state === 'cancelled' || recordingId === null || tookMs < longJobMs) return
    // Its recording was removed.
    if (job.isHeld) return
    const url = `${publicUrl}/transcribe?recording=${recordingId}`
    const facts = { kind, isDone: state === 'done', url }
    // The job is already claimed, so everything that reads the database goes into the task, which is retried while it is unreachable.
    mailer.enqueue(async () => {
      const user = await users.findById(ownerId)
      if (!user?.isActive || user.notifications?.email === false) return undefined
      return createNotice(jobEndedMail(user, facts), user, clock)
    })
  }

  /** Sends the notifications of jobs that have ended since the last call. */
  async function sendDue(): Promise<void> {
    for (let count = 0; count < maxPerCall; count += 1) {
      const job = await claimEndedJob(queue)
      if (!job) return
      sendOne(job)
    }
  }

  return { sendDue }
}
