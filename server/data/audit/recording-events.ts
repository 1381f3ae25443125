import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { inChunks } from '../library/in-chunks.ts'
import { findPeople } from '../users/people.ts'
import { auditEventModel, type AuditEventDocument } from './audit-event-model.ts'

/** What the audit trail says of a recording. */
export interface AuditedRecording {
  id: string
  ownerId: string
  createdAt: Date
}

/** Who did something, and from where; both are missing for what Awaz does by itself. */
export interface EventActor {
  user?: { id: string; email: string }
  origin?: { ip: string; requestId: string }
}

/** What happened to recordings. */
export interface NewRecordingEvent {
  /** Dotted, lowercase: `recording.open`, `hold.set`. */
  action: string
  by?: EventActor
  /** Facts without names, words and tags. */
  details?: string
  /** Default: now. */
  at?: Date
}

/** Describes a recording without its content, which its name is: `recording of sara@example.org, uploaded 2026-11-20 14:03 UTC`. */
export function describeRecording({ createdAt }: Pick<AuditedRecording, 'createdAt'>, owner: string): string {
  return `recording of ${owner}, uploaded ${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Adds an event for each of some recordings to the audit trail, 200 in one command. */
export async function insertRecordingEvents(
  connection: DatabaseConnection,
  recordings: readonly AuditedRecording[],
  { action, by = {}, details = '', at = new Date() }: NewRecordingEvent,
): Promise<void> {
  const { user, origin } = by
  const owners = await findOwners(connection, recordings, user)
  await inChunks(recordings, async (chunk) => {
    await auditEventModel(connection).insertMany(
      chunk.map((recording) => {
        const owner = owners.get(recording.ownerId) ?? `user ${recording.ownerId}`
        return {
          at,
          action,
          outcome: 'success',
          actor: user?.email ?? '',
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
    )
  })
}

/** Adds an event for each of some recordings that has none of this action yet: for work that is repeated after an interruption. */
export async function insertMissingEvents(
  connection: DatabaseConnection,
  recordings: readonly AuditedRecording[],
  event: NewRecordingEvent,
): Promise<void> {
  await inChunks(recordings, async (chunk) => {
    const known = new Set<string>()
    // The action is compared here: with it the query would be answered from the index of actions, by all entries of that action.
    const stored = auditEventModel(connection)
      .find({ recordingId: { $in: chunk.map(({ id }) => toObjectId(id)) } }, { recordingId: 1, action: 1 })
      .lean<Pick<AuditEventDocument, 'recordingId' | 'action'>[]>()
      .cursor()
    for await (const { recordingId, action } of stored) if (action === event.action) known.add(String(recordingId))
    await insertRecordingEvents(
      connection,
      chunk.filter(({ id }) => !known.has(id)),
      event,
    )
  })
}

/** Returns the e-mail addresses of owners by their ids; most often the owner acts, who is known. */
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
