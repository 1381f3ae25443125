import { createHash } from 'node:crypto'
import type { Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { inChunks } from '../library/in-chunks.ts'
import { ignoreTaken } from '../slots.ts'
import { findPeople } from '../users/people.ts'
import { auditEventModel, type AuditEventDocument } from './audit-event-model.ts'

/** What the audit trail records about a recording. */
export interface AuditedRecording {
  id: string
  ownerId: string
  createdAt: Date
}

/** Who did something, and from where; all fields are missing for what Awaz does by itself. */
export interface EventActor {
  user?: { id: string; email: string }
  /** Set where the actor has no account: `command line`. */
  name?: string
  origin?: { ip: string; requestId: string }
}

/** What happened to recordings. */
export interface NewRecordingEvent {
  /** Dotted, lowercase: `recording.open`, `hold.set`. */
  action: string
  by?: EventActor
  /** Facts, without names, words or tags. */
  details?: string
  /** Default: now. */
  at?: Date
}

/** Describes a recording without its name, which is content: `recording of sara@example.org, uploaded 2026-11-20 14:03 UTC`. */
export function describeRecording({ createdAt }: Pick<AuditedRecording, 'createdAt'>, owner: string): string {
  return `recording of ${owner}, uploaded ${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Adds an event for each recording to the audit trail, 200 per command. */
export async function insertRecordingEvents(
  connection: DatabaseConnection,
  recordings: readonly AuditedRecording[],
  event: NewRecordingEvent,
): Promise<void> {
  await insertEvents(connection, recordings, event)
}

type MakeKey = (recording: AuditedRecording) => Types.ObjectId

/** With `makeKey`, events whose key already exists are left out. */
async function insertEvents(
  connection: DatabaseConnection,
  recordings: readonly AuditedRecording[],
  { action, by = {}, details = '', at = new Date() }: NewRecordingEvent,
  makeKey?: MakeKey,
): Promise<void> {
  const { user, name = '', origin } = by
  const owners = await findOwners(connection, recordings, user)
  await inChunks(recordings, async (chunk) => {
    const insertion = auditEventModel(connection).insertMany(
      chunk.map((recording) => {
        const owner = owners.get(recording.ownerId) ?? `user ${recording.ownerId}`
        return {
          ...(makeKey && { _id: makeKey(recording) }),
          at,
          action,
          outcome: 'success',
          actor: user?.email ?? name,
          actorId: user ? toObjectId(user.id) : null,
          target: describeRecording(recording, owner),
          ip: origin?.ip ?? '',
          requestId: origin?.requestId ?? '',
          details,
          recordingId: toObjectId(recording.id),
          recordingOwner: owner,
          uploadedAt: recording.createdAt,
        }
      }),
      { ordered: false },
    )
    await (makeKey ? ignoreTaken(insertion) : insertion)
  })
}

/**
 * Adds an event for each recording that has none of this action yet, for work that is repeated after an interruption. Two processes
 * doing so at once add only one event: its id is derived from the recording, the action and `doneAt`.
 */
export async function insertMissingEvents<Recording extends AuditedRecording>(
  connection: DatabaseConnection,
  recordings: readonly Recording[],
  { doneAt, ...event }: NewRecordingEvent & { doneAt: (recording: Recording) => Date },
): Promise<void> {
  const known = await findIdsWithEvent(connection, recordings, event.action)
  const missing = recordings.filter(({ id }) => !known.has(id))
  const times = new Map(missing.map((recording) => [recording.id, doneAt(recording)]))
  await insertEvents(connection, missing, event, ({ id }) => makeKey(event.action, id, times.get(id) ?? new Date(0)))
}

/** Returns the ids of the recordings that have an event of an action. */
export async function findIdsWithEvent(
  connection: DatabaseConnection,
  recordings: readonly Pick<AuditedRecording, 'id'>[],
  action: string,
): Promise<Set<string>> {
  const known = new Set<string>()
  await inChunks(recordings, async (chunk) => {
    // The action is compared here: in the query, it would select the index of actions and scan all entries of that action.
    const stored = auditEventModel(connection)
      .find({ recordingId: { $in: chunk.map(({ id }) => toObjectId(id)) } }, { recordingId: 1, action: 1 })
      .lean<Pick<AuditEventDocument, 'recordingId' | 'action'>[]>()
      .cursor()
    for await (const each of stored) if (each.action === action) known.add(String(each.recordingId))
  })
  return known
}

/** Derives an event's id. Ids begin with a time, by which they are ordered. */
function makeKey(action: string, recordingId: string, at: Date): Types.ObjectId {
  const seconds = Math.floor(at.getTime() / 1000).toString(16)
  const rest = createHash('sha256').update(`${action} ${recordingId}`).digest('hex')
  return toObjectId(`${seconds.padStart(8, '0')}${rest.slice(0, 16)}`)
}

/** Returns the e-mail addresses of owners by their ids; usually the owner is the actor and already known. */
async function findOwners(
  connection: DatabaseConnection,
  recordings: readonly AuditedRecording[],
  actor: EventActor['user'],
): Promise<Map<string, string>> {
  const known = new Map(actor ? [[actor.id, actor.email]] : [])
  const unknown = [...new Set(recordings.map(({ ownerId }) => ownerId))].filter((id) => !known.has(id))
  if (unknown.length === 0) return known
  for (const { id, email } of (await findPeople(connection, unknown)).values()) known.set(id, email)
  return known
}
