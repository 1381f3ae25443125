import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Types, type Connection } from 'mongoose'
import type { Clock } from '#data/clock.ts'
import { outboxModel, type OutboxDoc } from '#data/accounts/record-models.ts'
import { textOfEml, toEml } from './eml.ts'
import type { Mail } from './mailer.ts'

/**
 * Mails kept as files because no mail server is set. They hold live links and codes: the files are readable by the server's user
 * alone and go away when the link or code is used or expires.
 */
export function createOutbox(deps: { connection: Connection; clock: Clock; dataDir: string; from: string }) {
  const mails = outboxModel(deps.connection)
  const folder = join(deps.dataDir, 'outbox')
  const fileOf = (id: Types.ObjectId) => join(folder, `${id.toHexString()}.eml`)

  async function keep(mail: Mail): Promise<void> {
    const _id = new Types.ObjectId()
    const createdAt = new Date(deps.clock.now())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(fileOf(_id), toEml(mail, { from: deps.from, to: mail.to, date: createdAt }), {
      mode: 0o600,
      flag: 'wx',
    })
    await mails.create({
      _id,
      userId: new Types.ObjectId(mail.userId),
      to: mail.to,
      subject: mail.subject,
      purpose: mail.purpose,
      createdAt,
      expiresAt: mail.expiresAt,
    })
  }

  async function list(): Promise<OutboxDoc[]> {
    await removeExpired()
    return mails.find({}).sort({ createdAt: -1, _id: -1 }).limit(500).lean<OutboxDoc[]>()
  }

  async function read(id: string): Promise<{ mail: OutboxDoc; text: string } | undefined> {
    await removeExpired()
    const mail = await mails.findOne({ _id: new Types.ObjectId(id) }).lean<OutboxDoc>()
    if (!mail) return undefined
    const eml = await readFile(fileOf(mail._id), 'utf8').catch(() => undefined)
    return eml === undefined ? undefined : { mail, text: textOfEml(eml) }
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

  return { keep, list, read, removeExpired, removeFor }
}

export type Outbox = ReturnType<typeof createOutbox>
