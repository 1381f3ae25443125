import type { QueryFilter, Types } from 'mongoose'
import { roles, type Role } from '#contract/entities/user.ts'
import type { RetentionRule } from '#contract/retention.ts'
import { caseRecordingModel } from '../cases/case-recording-model.ts'
import type { DatabaseConnection } from '../connect.ts'
import { heldRecording, notHeld } from '../holds/held.ts'
import { toObjectId } from '../ids.ts'
import { undoMs } from '../library/trash.ts'
import { recordingModel, type RecordingDocument } from '../recordings/recording-model.ts'
import { findUserRoles } from '../users/people.ts'
import { daysAfter, daysBefore, retentionDaysOfRole, retentionOf, type RetentionRules } from './rules.ts'

const recordingsPerQuery = 500

/** A recording whose retention has ended, and why. */
export interface DueRecording {
  id: string
  ownerId: string
  createdAt: Date
  sizeBytes: number
  durationMs: number
  days: number
  rule: RetentionRule
  /** The case that the rule belongs to; null for other rules. */
  caseId: string | null
  /** The time from which the next run deletes it. */
  dueAt: Date
  isInTrash: boolean
}

const fields = { ownerId: 1, createdAt: 1, sizeBytes: 1, durationMs: 1, deletedAt: 1 } as const
type Candidate = Pick<RecordingDocument, '_id' | keyof typeof fields>

interface DueQuery {
  at: Date
  /** Whether to return only recordings on hold that would otherwise be due. Default: only those not on hold. */
  isHeld?: boolean
}

/**
 * Returns the recordings of all owners whose retention has ended at a given time, earliest due first. Recordings on hold are never due;
 * those in the trash are, once their removal can no longer be undone. The schedule deletes what this returns, and the dry run lists it.
 */
export async function findDueRecordings(
  connection: DatabaseConnection,
  rules: RetentionRules,
  query: DueQuery,
): Promise<DueRecording[]> {
  const due = new Map<string, DueRecording>()
  for await (const candidates of listCandidates(connection, rules, query)) {
    for (const each of await explain(connection, rules, candidates)) if (each.dueAt < query.at) due.set(each.id, each)
  }
  return [...due.values()].toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || a.id.localeCompare(b.id))
}

/** Lists recordings that a rule may delete: those older than the shortest role rule, and those of cases with their own number of days. */
async function* listCandidates(
  connection: DatabaseConnection,
  rules: RetentionRules,
  { at, isHeld = false }: DueQuery,
): AsyncGenerator<Candidate[]> {
  const live = { deletedAt: null, ...(isHeld ? heldRecording : notHeld) }
  // Recordings on hold are never in the trash.
  const trashed = { purgeAt: { $gt: new Date(0) }, deletedAt: { $lt: new Date(at.getTime() - undoMs) }, ...notHeld }
  const either = isHeld ? live : { $or: [live, trashed] }
  const shortest = Math.min(...roles.map((role) => retentionDaysOfRole(rules, role)).filter((days) => days > 0))
  if (Number.isFinite(shortest)) {
    const old = { createdAt: { $lt: daysBefore(at, shortest) } }
    yield* listOlder(connection, { ...live, ...old }, 'createdAt')
    if (!isHeld) yield* listOlder(connection, { ...trashed, ...old }, 'purgeAt')
  }
  for (const [id, { days }] of rules.cases) {
    if (days === 0) continue
    const rows = await caseRecordingModel(connection)
      .find({ caseId: toObjectId(id) }, { recordingId: 1 })
      .lean()
    const ids = rows.map(({ recordingId }) => recordingId)
    for (let from = 0; from < ids.length; from += recordingsPerQuery) {
      const _id = { $in: ids.slice(from, from + recordingsPerQuery) }
      yield await recordingModel(connection)
        .find({ _id, ...either, createdAt: { $lt: daysBefore(at, days) } }, fields)
        .batchSize(recordingsPerQuery)
        .lean<Candidate[]>()
    }
  }
}

async function* listOlder(
  connection: DatabaseConnection,
  filter: QueryFilter<RecordingDocument>,
  orderBy: 'createdAt' | 'purgeAt',
): AsyncGenerator<Candidate[]> {
  const cursor = recordingModel(connection)
    .find(filter, fields)
    .sort({ [orderBy]: 1 })
    .batchSize(recordingsPerQuery)
    .lean<Candidate[]>()
    .cursor()
  let page: Candidate[] = []
  for await (const candidate of cursor) {
    page.push(candidate)
    if (page.length < recordingsPerQuery) continue
    yield page
    page = []
  }
  yield page
}

async function explain(
  connection: DatabaseConnection,
  rules: RetentionRules,
  candidates: Candidate[],
): Promise<DueRecording[]> {
  if (candidates.length === 0) return []
  const [ownerRoles, cases] = await Promise.all([
    findUserRoles(
      connection,
      candidates.map(({ ownerId }) => ownerId.toHexString()),
    ),
    listCaseIds(
      connection,
      candidates.map(({ _id }) => _id),
    ),
  ])
  return candidates.flatMap(({ _id, ownerId, deletedAt, ...facts }) => {
    const id = _id.toHexString()
    const owner = ownerId.toHexString()
    const role: Role = ownerRoles.get(owner) ?? 'user'
    const retention = retentionOf(rules, { ownerId: owner, role, caseIds: cases.get(id) ?? [] })
    if (retention.days === 0) return []
    const dueAt = daysAfter(facts.createdAt, retention.days)
    return [{ id, ownerId: owner, ...facts, ...retention, dueAt, isInTrash: deletedAt !== null }]
  })
}

async function listCaseIds(
  connection: DatabaseConnection,
  recordingIds: Types.ObjectId[],
): Promise<Map<string, string[]>> {
  const rows = await caseRecordingModel(connection)
    .find({ recordingId: { $in: recordingIds } }, { recordingId: 1, caseId: 1 })
    .lean()
  const byRecording = Map.groupBy(rows, ({ recordingId }) => recordingId.toHexString())
  return new Map([...byRecording].map(([id, own]) => [id, own.map(({ caseId }) => caseId.toHexString())]))
}
