import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { claimEndedBatch, type BatchRecord } from '#data/batches/batches.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { batchEndedMail } from '../mail/templates/account-mails.ts'
import type { Users } from '../users/service.ts'

/** As for single jobs: a user who has waited less has probably not left. */
const longBatchMs = 5 * 60_000
/** The rest wait for the next call. */
const maxPerCall = 200

interface BatchMailsDeps {
  connection: DatabaseConnection
  users: Pick<Users, 'findById'>
  mailer: Pick<Mailer, 'enqueue'>
  clock: Clock
  publicUrl: string
  /** See `createJobMails`. */
  hasMailServer: boolean
}

/** Mails users when a batch that took a long time has ended; once per batch across servers. */
export function createBatchMails({ connection, users, mailer, clock, publicUrl, hasMailServer }: BatchMailsDeps) {
  function sendOne({ ownerId, counts, startedAt, finishedAt }: BatchRecord): void {
    const tookMs = (finishedAt?.getTime() ?? 0) - startedAt.getTime()
    if (!hasMailServer || tookMs < longBatchMs) return
    // The batch is already claimed, so anything that reads the database from here on is retried until it can be reached.
    mailer.enqueue(async () => {
      const user = await users.findById(ownerId)
      if (!user?.isActive || user.notifications?.email === false) return undefined
      return createNotice(batchEndedMail(user, { counts, url: `${publicUrl}/dashboard` }), user, clock)
    })
  }

  /** Sends the mails that are due. */
  async function sendDue(): Promise<void> {
    for (let count = 0; count < maxPerCall; count += 1) {
      const batch = await claimEndedBatch(connection)
      if (!batch) return
      sendOne(batch)
    }
  }

  return { sendDue }
}
