import type { Role } from '#contract/entities/user.ts'
import { RoleDays, type RetentionRule } from '#contract/retention.ts'
import { caseModel, type CaseDocument } from '../cases/case-model.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { createSystemFactRepository } from '../system/system-facts.ts'

const dayMs = 24 * 3600 * 1000
const factName = 'retention-days-by-role'

/** How long recordings and texts are kept. Days count from the upload; 0 means forever. */
export interface RetentionRules {
  /** The value of RETENTION_DAYS. */
  globalDays: number
  /** Overrides `globalDays` for what people with a role own; null for no override. */
  roleDays: RoleDays
  /** Cases with their own number of days, by id: they override both for recordings of their members. */
  cases: Map<string, CaseRule>
}

interface CaseRule {
  days: number
  /** Ids of users: a recording counts as part of a case only while its owner is a member. */
  members: Set<string>
}

export const noRoleDays: RoleDays = { user: null, admin: null, super_admin: null }

/** Returns the current rules. */
export async function readRetentionRules(connection: DatabaseConnection, globalDays: number): Promise<RetentionRules> {
  const [stored, cases] = await Promise.all([
    createSystemFactRepository(connection).find(factName),
    caseModel(connection)
      .find({ retentionDays: { $gte: 0 } }, { retentionDays: 1, members: 1 })
      .lean<CaseWithRule[]>(),
  ])
  return {
    globalDays,
    roleDays: stored === null ? noRoleDays : RoleDays.parse(JSON.parse(stored)),
    cases: new Map(cases.map((each) => [each._id.toHexString(), toCaseRule(each)])),
  }
}

type CaseWithRule = Pick<CaseDocument, '_id' | 'members' | 'retentionDays'>

function toCaseRule({ members, retentionDays = 0 }: CaseWithRule): CaseRule {
  return { days: retentionDays, members: new Set(members.map(({ userId }) => userId.toHexString())) }
}

/** Returns the rules as they would be with different days for a case; unchanged where there is no such case. */
export async function withCaseDays(
  connection: DatabaseConnection,
  rules: RetentionRules,
  { id, days }: { id: string; days: number | null },
): Promise<RetentionRules> {
  const found = await caseModel(connection)
    .findOne({ _id: toObjectId(id) }, { members: 1 })
    .lean<CaseWithRule>()
  if (!found) return rules
  const cases = new Map(rules.cases)
  if (days === null) cases.delete(id)
  else cases.set(id, toCaseRule({ ...found, retentionDays: days }))
  return { ...rules, cases }
}

export async function saveRoleDays(connection: DatabaseConnection, days: RoleDays): Promise<void> {
  await createSystemFactRepository(connection).set(factName, JSON.stringify(days))
}

/** Sets how long recordings of a case are kept; null to let the other rules apply. Returns false where there is no such case. */
export async function saveCaseDays(connection: DatabaseConnection, id: string, days: number | null): Promise<boolean> {
  const { matchedCount } = await caseModel(connection).updateOne(
    { _id: toObjectId(id) },
    days === null ? { $unset: { retentionDays: 1 } } : { $set: { retentionDays: days } },
  )
  return matchedCount === 1
}

/** Returns the days for what people with a role own, outside of cases with their own number of days. */
export function retentionDaysOfRole({ globalDays, roleDays }: RetentionRules, role: Role): number {
  return roleDays[role] ?? globalDays
}

/** Returns how long a recording is kept, and by which rule: the longest of its cases, else its owner's role, else the setting. */
export function retentionOf(
  rules: RetentionRules,
  { ownerId, role, caseIds }: { ownerId: string; role: Role; caseIds: string[] },
): { days: number; rule: RetentionRule; caseId: string | null } {
  const ofCases = caseIds.flatMap((caseId) => {
    const found = rules.cases.get(caseId)
    return found?.members.has(ownerId) ? [{ days: found.days, rule: 'case' as const, caseId }] : []
  })
  const [longest] = ofCases.toSorted((a, b) => lengthOf(b.days) - lengthOf(a.days))
  if (longest) return longest
  return {
    days: retentionDaysOfRole(rules, role),
    rule: rules.roleDays[role] === null ? 'setting' : 'role',
    caseId: null,
  }
}

function lengthOf(days: number): number {
  return days === 0 ? Infinity : days
}

/** Returns the time `days` days before another. */
export function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * dayMs)
}

/** Returns the time `days` days after another. */
export function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}
