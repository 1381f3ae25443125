import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { claimDueDigest, readNextDigest, takeDigestAlerts, type AlertDigestRecord } from '#data/alerts/alert-digests.ts'
import type { AlertRecord } from '#data/alerts/alert-record.ts'
import { newId } from '#data/ids.ts'
import { msUntil } from '#data/repeat.ts'
import { createNotice, type Mail } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { alertDigestMail } from '../mail/templates/alert-mails.ts'
import type { Users } from '../users/service.ts'
import type { AlertService } from './service.ts'

/** The rest wait for the next call. */
const maxPerCall = 200
const maxQuoted = 20

interface DigestMailsDeps {
  connection: DatabaseConnection
  alerts: Pick<AlertService, 'findRecordings' | 'listWatchLists'>
  users: Pick<Users, 'findById'>
  mailer: Pick<Mailer, 'enqueue'>
  clock: Clock
  publicUrl: string
  hasMailServer: boolean
}

/**
 * Sends the mails about alerts that users chose to receive. A mail claims its alerts before it is written, so no server sends them again;
 * if the server is killed in between, they are only in the inbox.
 */
export function createDigestMails({ connection, alerts, users, mailer, clock, ...options }: DigestMailsDeps) {
  const { publicUrl, hasMailServer } = options

  async function compose({ ownerId, withContent }: AlertDigestRecord, digestId: string): Promise<Mail | undefined> {
    const { alertCount, recordingCount, alerts: told } = await takeDigestAlerts(connection, { ownerId, digestId })
    const user = await users.findById(ownerId)
    if (alertCount === 0 || !user?.isActive) return undefined
    // A closed library must not be read by whichever person now has the address.
    const quotes = withContent && !user.libraryClosure ? await quote(ownerId, told.slice(0, maxQuoted)) : []
    const digestMail = alertDigestMail(user, { alertCount, recordingCount, quotes, url: `${publicUrl}/alerts` })
    return createNotice(digestMail, user, clock)
  }

  async function quote(ownerId: string, told: AlertRecord[]) {
    const recordingIds = [...new Set(told.map(({ recordingId }) => recordingId))]
    const recordings = await alerts.findRecordings(ownerId, recordingIds)
    const names = new Map((await alerts.listWatchLists(ownerId)).map(({ watchList: { id, name } }) => [id, name]))
    return told.map(({ recordingId, watchListId, timeMs, speaker, sentence }) => ({
      recording: recordings.get(recordingId)?.name ?? '',
      watchList: names.get(watchListId) ?? '',
      timeMs,
      speaker,
      sentence,
    }))
  }

  /** Sends the mails that are due. */
  async function sendDue(): Promise<void> {
    if (!hasMailServer) return
    for (let count = 0; count < maxPerCall; count += 1) {
      const digest = await claimDueDigest(connection, new Date(clock.now()))
      if (!digest) return
      // Retried until the database can be reached, because the digest is already claimed.
      const digestId = newId()
      mailer.enqueue(() => compose(digest, digestId))
    }
  }

  /** Returns the milliseconds until the next mail is due; Infinity if none is planned. */
  async function dueInMs(): Promise<number> {
    return hasMailServer ? msUntil(await readNextDigest(connection), clock.now()) : Infinity
  }

  return { sendDue, dueInMs }
}
