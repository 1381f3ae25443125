import { join } from 'node:path'
import type { Clock } from '#data/clock.ts'
import { newId } from '#data/ids.ts'
import type { OutboxMailRecord, OutboxRepository } from '#data/outbox/outbox-mails.ts'
import { msUntil } from '#data/repeat.ts'
import { retryWhileUnavailable } from '#data/retry-while-unavailable.ts'
import type { WrittenMail } from './mail.ts'
import { openMessageFiles } from './message-files.ts'
import { composeMessage } from './message.ts'

/** Delays after each failed delivery; the last one repeats. */
const retryDelaysMs = [10_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000]
/** A delivery that takes longer is taken over, as its server is presumed dead. */
const deliveryLeaseMs = 2 * 60_000
/** Age at which a message without a mail is removed. Its mail is stored later than the file, and may have to wait for the database. */
const leftAfterMs = 24 * 60 * 60_000

interface OutboxDeps {
  mails: OutboxRepository
  clock: Clock
  dataDir: string
  from: string
}

export type Outbox = ReturnType<typeof createOutbox>

/**
 * Creates the outbox: mails to deliver by hand because no mail server is configured, and mails waiting for the mail server. They contain
 * live links and codes, so they are removed once sent, and once the link or code has been used or has expired.
 */
export function createOutbox({ mails, clock, dataDir, from }: OutboxDeps) {
  const files = openMessageFiles(join(dataDir, 'outbox'))
  const inMs = (delayMs: number) => new Date(clock.now() + delayMs)

  /** Retries until `signal` aborts if the database is unreachable, as the mail would otherwise be lost. Without a signal, tries once. */
  async function insert(
    mail: WrittenMail,
    nextTryAt: Date | null,
    signal = AbortSignal.abort(),
  ): Promise<OutboxMailRecord> {
    const id = newId()
    const createdAt = new Date(clock.now())
    const { to, userId, subject, purpose, expiresAt, text } = mail
    await files.write(id, { eml: await composeMessage(mail, { from, to, date: createdAt }), text })
    try {
      const record = { id, userId, to, subject, purpose, nextTryAt, createdAt, expiresAt }
      return await retryWhileUnavailable(() => mails.insert(record), signal)
    } catch (error) {
      await files.remove(id) // nothing else refers to them, so they would stay for ever
      throw error
    }
  }

  /** Stores a mail that is handed over by hand. */
  async function store(mail: WrittenMail, signal?: AbortSignal): Promise<void> {
    await insert(mail, null, signal)
  }

  /** Stores a mail whose first delivery begins now. */
  async function storeForDelivery(mail: WrittenMail, signal?: AbortSignal): Promise<OutboxMailRecord> {
    return insert(mail, inMs(deliveryLeaseMs), signal)
  }

  /** Stores a mail that is due now. */
  async function storeDue(mail: WrittenMail, signal?: AbortSignal): Promise<void> {
    await insert(mail, inMs(0), signal)
  }

  /** Claims the mail that has been due for longest, if any; no other server delivers it at the same time. */
  async function claimDue(): Promise<OutboxMailRecord | null> {
    return mails.claimDue(inMs(0), inMs(deliveryLeaseMs))
  }

  /** Returns the milliseconds until the next mail is due, or Infinity if none is waiting for a mail server. */
  async function dueInMs(): Promise<number> {
    return msUntil(await mails.readNextTry(inMs(0)), clock.now())
  }

  /** Records a failed delivery and schedules the next. */
  async function recordFailure({ id, attempts }: OutboxMailRecord, lastError: string): Promise<void> {
    const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length - 1)] ?? 0
    await mails.recordFailure(id, { lastError, nextTryAt: inMs(delayMs) })
  }

  /** Leaves a mail to the server whose data folder has its message. */
  async function leaveToOthers({ id }: OutboxMailRecord): Promise<void> {
    await mails.postpone(id, inMs(retryDelaysMs[0] ?? 0))
  }

  async function list(): Promise<OutboxMailRecord[]> {
    await removeExpired()
    return mails.list()
  }

  /** Returns a mail with its text; undefined where there is none or its message is on another server. */
  async function read(id: string): Promise<{ mail: OutboxMailRecord; text: string } | undefined> {
    await removeExpired()
    const mail = await mails.findById(id)
    if (!mail) return undefined
    const text = await files.readText(id)
    return text === undefined ? undefined : { mail, text: text.trimEnd() }
  }

  async function remove(removed: Pick<OutboxMailRecord, 'id'>[]): Promise<void> {
    for (const { id } of removed) {
      await files.remove(id)
      await mails.remove(id)
    }
  }

  /** Removes expired mails, and local message files whose mail another server has removed. */
  async function removeExpired(): Promise<void> {
    await remove(await mails.listExpired(new Date(clock.now())))
    for (const id of await mails.listMissing(await files.listOlder(inMs(-leftAfterMs)))) await files.remove(id)
  }

  /** Removes the mails of a user, or those of one purpose, such as when their code was used. */
  async function removeFor(userId: string, purpose?: WrittenMail['purpose']): Promise<void> {
    await remove(await mails.listByUser(userId, purpose))
  }

  return {
    store,
    storeForDelivery,
    storeDue,
    claimDue,
    dueInMs,
    recordFailure,
    leaveToOthers,
    countFailing: mails.countFailing,
    countWaiting: () => mails.countWaiting(inMs(0)),
    findById: mails.findById,
    readMessage: ({ id }: OutboxMailRecord) => files.readEml(id),
    list,
    read,
    remove,
    removeExpired,
    removeFor,
  }
}
