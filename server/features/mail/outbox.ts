import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Types, type Connection } from 'mongoose'
import type { Clock } from '#data/clock.ts'
import { outboxModel, type OutboxDoc } from '#data/accounts/record-models.ts'
import { htmlOfEml, textOfEml, toEml } from './eml.ts'
import type { Mail } from './mailer.ts'
import type { RenderedMail } from './templates/layout.ts'

/** After each failure, the last for all that follow. */
const retryDelaysMs = [10_000, 60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000]
/** A try that took longer is taken for one whose server died. */
const tryLeaseMs = 2 * 60_000

/**
 * Mails kept as files because no mail server is set, or until it takes them. They hold live links and codes: the files are readable by
 * the server's user alone and go away when the mail was sent and when the link or code is used or expires.
 */
export function createOutbox(deps: { connection: Connection; clock: Clock; dataDir: string; from: string }) {
  const mails = outboxModel(deps.connection)
  const folder = join(deps.dataDir, 'outbox')
  const fileOf = (id: Types.ObjectId) => join(folder, `${id.toHexString()}.eml`)

  /** Keeps a mail to be handed over by hand. */
  async function keep(mail: Mail): Promise<void> {
    await store(mail, null)
  }

  /** Keeps a mail whose first try begins now. */
  async function keepUntilSent(mail: Mail): Promise<OutboxDoc> {
    return store(mail, new Date(deps.clock.now() + tryLeaseMs))
  }

  async function store(mail: Mail, nextTryAt: Date | null): Promise<OutboxDoc> {
    const _id = new Types.ObjectId()
    const createdAt = new Date(deps.clock.now())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(fileOf(_id), toEml(mail, { from: deps.from, to: mail.to, date: createdAt }), {
      mode: 0o600,
      flag: 'wx',
    })
    const created = await mails.create({
      _id,
      nextTryAt,
      userId: new Types.ObjectId(mail.userId),
      to: mail.to,
      subject: mail.subject,
      purpose: mail.purpose,
      createdAt,
      expiresAt: mail.expiresAt,
    })
    return created.toObject()
  }

  /** Takes the mail that has waited longest for its next try, if one is due; no other server takes it meanwhile. */
  async function claimDue(): Promise<OutboxDoc | null> {
    const now = new Date(deps.clock.now())
    const lease = { $set: { nextTryAt: new Date(now.getTime() + tryLeaseMs) } }
    return mails
      .findOneAndUpdate({ nextTryAt: { $lte: now }, expiresAt: { $gt: now } }, lease, { sort: { nextTryAt: 1 } })
      .lean<OutboxDoc>()
  }

  /** Notes a try that failed and when the next is due. */
  async function recordFailure({ _id, attempts }: OutboxDoc, lastError: string): Promise<void> {
    const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length - 1)] ?? 0
    const nextTryAt = new Date(deps.clock.now() + delayMs)
    await mails.updateOne({ _id }, { $set: { lastError, nextTryAt }, $inc: { attempts: 1 } })
  }

  /** Gives a mail back whose file lies in the data folder of another server. */
  async function leaveToOthers({ _id }: OutboxDoc): Promise<void> {
    const nextTryAt = new Date(deps.clock.now() + (retryDelaysMs[0] ?? 0))
    await mails.updateOne({ _id, nextTryAt: { $ne: null } }, { $set: { nextTryAt } })
  }

  /** Mails that could not be sent yet. */
  async function countFailing(): Promise<number> {
    return mails.countDocuments({ attempts: { $gt: 0 } })
  }

  async function find(id: string): Promise<OutboxDoc | null> {
    return mails.findOne({ _id: new Types.ObjectId(id) }).lean<OutboxDoc>()
  }

  /** What a kept mail says; undefined where its file is gone. */
  async function contentOf({ _id, subject }: OutboxDoc): Promise<RenderedMail | undefined> {
    const eml = await readFile(fileOf(_id), 'utf8').catch(() => undefined)
    return eml === undefined ? undefined : { subject, text: textOfEml(eml), html: htmlOfEml(eml) }
  }

  async function list(): Promise<OutboxDoc[]> {
    await removeExpired()
    return mails.find({}).sort({ createdAt: -1, _id: -1 }).limit(500).lean<OutboxDoc[]>()
  }

  async function read(id: string): Promise<{ mail: OutboxDoc; text: string } | undefined> {
    await removeExpired()
    const mail = await find(id)
    const content = mail && (await contentOf(mail))
    return content ? { mail, text: content.text } : undefined
  }

  async function remove(found: OutboxDoc[]): Promise<void> {
    for (const { _id } of found) {
      await rm(fileOf(_id), { force: true })
      await mails.deleteOne({ _id })
    }
  }

  async function removeExpired(): Promise<void> {
    await remove(
      await mails
        .find({ expiresAt: { $lte: new Date(deps.clock.now()) } })
        .limit(1000)
        .lean<OutboxDoc[]>(),
    )
  }

  /** Removes the mails of a user, or those of one purpose, such as when their code was used. */
  async function removeFor(userId: string, purpose?: Mail['purpose']): Promise<void> {
    const filter = { userId: new Types.ObjectId(userId), ...(purpose && { purpose }) }
    await remove(await mails.find(filter).limit(1000).lean<OutboxDoc[]>())
  }

  return {
    keep,
    keepUntilSent,
    claimDue,
    recordFailure,
    leaveToOthers,
    countFailing,
    find,
    contentOf,
    list,
    read,
    remove,
    removeExpired,
    removeFor,
  }
}

export type Outbox = ReturnType<typeof createOutbox>
