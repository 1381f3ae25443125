import { defaultAlertDigest } from '#contract/alerts.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { alertDigestModel, type AlertDigestDocument } from './alert-digest-model.ts'
import { alertModel, type AlertDocument } from './alert-model.ts'
import { toAlertRecord, type AlertRecord } from './alert-record.ts'
import { updateAlerts } from './change-alerts.ts'
import { nextDigestTime } from './digest-time.ts'

/** When a user gets mails about alerts. */
export interface AlertDigestRecord extends Omit<AlertDigestDocument, '_id' | 'dueAt'> {
  ownerId: string
}

/** Maximum number of alerts read for one mail. Its counts cover all. */
const maxRead = 1_000

export async function readAlertDigest(connection: DatabaseConnection, ownerId: string): Promise<AlertDigestRecord> {
  const found = await alertDigestModel(connection)
    .findOne({ _id: toObjectId(ownerId) })
    .lean<AlertDigestDocument>()
  const { mode, hour, time_zone: timeZone, with_content: withContent } = defaultAlertDigest
  return found ? toRecord(found) : { ownerId, mode, hour, timeZone, withContent }
}

/** Saves the settings. Waiting alerts go into the next mail. Turning mails on or off discards them. */
export async function saveAlertDigest(
  connection: DatabaseConnection,
  { ownerId, ...choice }: AlertDigestRecord,
  now: Date,
): Promise<void> {
  const _id = toObjectId(ownerId)
  const before = await readAlertDigest(connection, ownerId)
  await alertDigestModel(connection).updateOne({ _id }, { $set: { ...choice, dueAt: null } }, { upsert: true })
  if (choice.mode === 'off' || before.mode === 'off') {
    await updateAlerts(connection, { ownerId: _id, isDigestDue: true }, { $set: { isDigestDue: false } })
  } else await scheduleDigest(connection, ownerId, now)
}

/** Plans the owner's next mail where alerts wait for one and none is planned. */
export async function scheduleDigest(connection: DatabaseConnection, ownerId: string, now: Date): Promise<void> {
  const digest = await readAlertDigest(connection, ownerId)
  if (digest.mode === 'off') return
  if (!(await alertModel(connection).exists({ ownerId: toObjectId(ownerId), isDigestDue: true }))) return
  const dueAt = nextDigestTime({ ...digest, dueAt: null }, now)
  // A later one was planned before the clock was set back.
  const unplanned = { _id: toObjectId(ownerId), $or: [{ dueAt: null }, { dueAt: { $gt: dueAt } }] }
  await alertDigestModel(connection).updateOne(unplanned, { $set: { dueAt } })
}

/** Claims the digest settings whose mail is due and returns them, so that no other server sends the mail; null where there is none. */
export async function claimDueDigest(connection: DatabaseConnection, now: Date): Promise<AlertDigestRecord | null> {
  const claimed = await alertDigestModel(connection)
    .findOneAndUpdate({ dueAt: { $gt: new Date(0), $lte: now } }, { $set: { dueAt: null } })
    .lean<AlertDigestDocument>()
  return claimed && toRecord(claimed)
}

/** Returns when the next mail is due; null where none is planned. */
export async function readNextDigest(connection: DatabaseConnection): Promise<Date | null> {
  const next = await alertDigestModel(connection)
    .findOne({ dueAt: { $gt: new Date(0) } }, { dueAt: 1 })
    .sort({ dueAt: 1 })
    .lean<Pick<AlertDigestDocument, 'dueAt'>>()
  return next?.dueAt ?? null
}

/** What one mail reports. */
export interface DigestContent {
  /** Unread ones. */
  alertCount: number
  recordingCount: number
  /** The newest 1,000, newest first. */
  alerts: AlertRecord[]
}

/**
 * Takes the alerts that wait for a mail: no other mail reports them. Those that were reviewed in the meantime are left out. Repeated for
 * the same mail, it returns the same alerts, plus any raised since.
 */
export async function takeDigestAlerts(
  connection: DatabaseConnection,
  mail: { ownerId: string; digestId: string },
): Promise<DigestContent> {
  const ownerId = toObjectId(mail.ownerId)
  const digestId = toObjectId(mail.digestId)
  const alerts = alertModel(connection)
  await updateAlerts(connection, { ownerId, isDigestDue: true }, { $set: { isDigestDue: false, digestId } })
  const taken = { digestId, ownerId, state: 'new' as const, isHidden: false, isGone: false }
  const [found, alertCount, recordings] = await Promise.all([
    alerts.find(taken).sort({ _id: -1 }).limit(maxRead).lean<AlertDocument[]>(),
    alerts.countDocuments(taken),
    alerts.distinct('recordingId', taken),
  ])
  return { alertCount, recordingCount: recordings.length, alerts: found.map(toAlertRecord) }
}

function toRecord({ _id, dueAt: _dueAt, ...fields }: AlertDigestDocument): AlertDigestRecord {
  return { ...fields, ownerId: _id.toHexString() }
}
