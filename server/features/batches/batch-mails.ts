import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { claimEndedBatch, type BatchRecord } from '#data/batches/batches.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { batchEndedMail } from '../mail/templates/account-mails.ts'
import type { Users } from '../users/service.ts'

/** As for single jobs: a user who waits less has hardly left. */
const longBatchMs = 5 * 60_000
/** The next call takes the others. */
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

/** Notifies users by one mail that a batch that took long has ended; each once across servers. */
export function createBatchMails({ connection, users, mailer, clock, publicUrl, hasMailServer }: BatchMailsDeps) {
  function sendOne({ ownerId, counts, startedAt, finishedAt }: BatchRecord): void {
    const tookMs = (finishedAt?.getTime() ?? 0) - startedAt.getTime()
    if (!hasMailServer || tookMs < longBatchMs) return
    // The batch is claimed: what reads the database from here on is repeated until it can be reached.
    mailer.enqueue(async () => {
      const user = await users.findById(ownerId)
      if (!user?.isActive || user.notifications?.email === false) return undefined
      return createNotice(batchEndedMail(user, { counts, url: `${publicUrl}/dashboard` }), user, clock)
    })
  }

  /** Sends the mails that are owed. */
  async function sendDue(): Promise<void> {
    for (let count = 0; count < maxPerCall; count += 1) {
      const batch = await claimEndedBatch(connection)
      if (!batch) return
      sendOne(batch)
    }
  }

  return { sendDue }
}
