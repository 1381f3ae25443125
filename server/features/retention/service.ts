import type { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { api } from '#contract/api.ts'
import type { Query } from '#contract/endpoint.ts'
import type { RetentionRules as ShownRules, RoleDays } from '#contract/retention.ts'
import { countCaseRecordings } from '#data/cases/case-recordings.ts'
import { findCase, findCasesById } from '#data/cases/cases.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { planRetention, type RetentionPlan } from '#data/retention/plan.ts'
import {
  readRetentionRules,
  retentionDaysOfRole,
  saveCaseDays,
  saveRoleDays,
  withCaseDays,
} from '#data/retention/rules.ts'
import { findPeople, type PersonRecord } from '#data/users/people.ts'
import type { AuthUser, RequestOrigin } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import type { Audit } from '../audit/service.ts'

interface RetentionDeps {
  connection: DatabaseConnection
  audit: Pick<Audit, 'record'>
  /** RETENTION_DAYS. */
  retentionDays: number
}

interface Actor {
  user: AuthUser
  origin: RequestOrigin
}

type DryRunQuery = Query<typeof api.retention.dryRun>

export type RetentionService = ReturnType<typeof createRetention>

/** Creates what administrators can see and decide about how long recordings are kept (docs/retention.md). */
export function createRetention({ connection, audit, retentionDays }: RetentionDeps) {
  async function read(): Promise<z.input<typeof ShownRules>> {
    const rules = await readRetentionRules(connection, retentionDays)
    const ids = [...rules.cases.keys()]
    const [cases, counts] = await Promise.all([findCasesById(connection, ids), countCaseRecordings(connection, ids)])
    const people = await findPeople(
      connection,
      [...cases.values()].map(({ ownerId }) => ownerId),
    )
    const listed = [...cases.values()].map(({ id, name, ownerId, hold, retentionDays: days = 0 }) => ({
      case: { id, name, owner: personOf(people, ownerId) },
      days,
      recording_count: counts.get(id) ?? 0,
      is_held: hold !== undefined,
    }))
    return {
      setting_days: rules.globalDays,
      role_days: rules.roleDays,
      cases: listed.toSorted((a, b) => a.case.name.localeCompare(b.case.name)),
    }
  }

  /** Returns how long a user's recordings are kept. */
  async function readOwn({ id, role }: Pick<AuthUser, 'id' | 'role'>) {
    const rules = await readRetentionRules(connection, retentionDays)
    const hasCaseDays = rules.cases.values().some(({ members }) => members.has(id))
    return { days: retentionDaysOfRole(rules, role), has_case_days: hasCaseDays }
  }

  /** Returns what would be deleted by a given time, under the stored rules or those of the query. Deletes nothing. */
  async function dryRun(query: DryRunQuery) {
    const plan = await planRetention(connection, await rulesOf(query), query.within_days)
    const { page, per_page: perPage } = query
    const shown = plan.recordings.slice((page - 1) * perPage, page * perPage)
    return {
      recordings: await present(shown),
      ...presentPage(query, plan.recordings.length),
      total_size: plan.recordings.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      texts: plan.texts,
      held: plan.held,
      until: plan.until.toISOString(),
    }
  }

  async function rulesOf(query: DryRunQuery) {
    const rules = await readRetentionRules(connection, retentionDays)
    const { user_days: user, admin_days: admin, super_admin_days: superAdmin, case: id, case_days: days } = query
    const roleDays = {
      ...rules.roleDays,
      ...(user !== undefined && { user }),
      ...(admin !== undefined && { admin }),
      ...(superAdmin !== undefined && { super_admin: superAdmin }),
    }
    const changed = { ...rules, roleDays }
    return id === undefined || days === undefined ? changed : withCaseDays(connection, changed, { id, days })
  }

  async function present(due: RetentionPlan['recordings']) {
    const [people, cases] = await Promise.all([
      findPeople(
        connection,
        due.map(({ ownerId }) => ownerId),
      ),
      findCasesById(
        connection,
        due.flatMap(({ caseId }) => caseId ?? []),
      ),
    ])
    return due.map(({ id, ownerId, createdAt, durationMs, sizeBytes, rule, caseId, days, dueAt }) => ({
      id,
      owner: personOf(people, ownerId),
      uploaded_at: createdAt.toISOString(),
      duration: durationMs / 1000,
      size: sizeBytes,
      rule,
      case: caseId === null ? null : { id: caseId, name: cases.get(caseId)?.name ?? '' },
      days,
      due_at: dueAt.toISOString(),
    }))
  }

  return {
    read,
    readOwn,
    dryRun,

    async setRoleDays({ user, origin }: Actor, days: RoleDays) {
      await saveRoleDays(connection, days)
      const details = Object.entries(days).map(([role, own]) => `${role}: ${describe(own)}`)
      await audit.record(
        { action: 'retention.roles', outcome: 'success', actor: user, details: details.join(', ') },
        origin,
      )
      return read()
    },

    /** Throws `not_found` if there is no such case. */
    async setCaseDays({ user, origin }: Actor, id: string, days: number | null) {
      const found = (await saveCaseDays(connection, id, days)) ? await findCase(connection, id) : null
      if (!found) throw new AppError('not_found', 'Case not found')
      const entry = { target: `case "${found.name}"`, details: `${describe(days)} (case ${id})` }
      await audit.record({ action: 'retention.case', outcome: 'success', actor: user, ...entry }, origin)
      return read()
    },
  }
}

function describe(days: number | null): string {
  if (days === null) return 'no days of its own'
  return days === 0 ? 'for ever' : `${days} days`
}

function personOf(people: Map<string, PersonRecord>, id: string) {
  const person = people.get(id)
  return { id, name: person?.name ?? '', email: person?.email ?? '' }
}
