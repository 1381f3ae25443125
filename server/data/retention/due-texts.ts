import { roles } from '#contract/entities/user.ts'
import type { DatabaseConnection } from '../connect.ts'
import { jobModel } from '../jobs/job-model.ts'
import { sourceModel } from '../jobs/source-model.ts'
import { listIdsOfRoles } from '../users/people.ts'
import { daysBefore, retentionDaysOfRole, type RetentionRules } from './rules.ts'

/** Returns how many texts sent for translation, without a recording, are older than their owners' rules allow at a given time. */
export async function countDueTexts(connection: DatabaseConnection, rules: RetentionRules, at: Date): Promise<number> {
  let count = 0
  for (const { owners, before } of await listTextRules(connection, rules, at))
    count += await sourceModel(connection).countDocuments({ recordingId: null, ...owners, usedAt: { $lt: before } })
  return count
}

/** Deletes those texts with their translations. Returns how many there were. */
export async function removeDueTexts(connection: DatabaseConnection, rules: RetentionRules, at: Date): Promise<number> {
  let count = 0
  for (const { owners, before } of await listTextRules(connection, rules, at)) {
    await jobModel(connection).deleteMany({ recordingId: null, ...owners, finishedAt: { $lt: before } })
    const { deletedCount } = await sourceModel(connection).deleteMany({
      recordingId: null,
      ...owners,
      usedAt: { $lt: before },
    })
    count += deletedCount
  }
  return count
}

/** Returns which owners' texts are deleted, and from what age. Administrator roles have few people: everyone else is a user. */
async function listTextRules(connection: DatabaseConnection, rules: RetentionRules, at: Date) {
  const isOneRule = Object.values(rules.roleDays).every((days) => days === null)
  if (isOneRule) return rules.globalDays === 0 ? [] : [{ owners: {}, before: daysBefore(at, rules.globalDays) }]
  const administrators = await listIdsOfRoles(connection, ['admin', 'super_admin'])
  return roles.flatMap((role) => {
    const days = retentionDaysOfRole(rules, role)
    if (days === 0) return []
    const ids = administrators.flatMap((each) => (role === 'user' || each.role === role ? each._id : []))
    const owners = { ownerId: role === 'user' ? { $nin: ids } : { $in: ids } }
    return [{ owners, before: daysBefore(at, days) }]
  })
}
