import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { DueRecording, maxDaysAhead, RetentionDays, RetentionRules, RoleDays } from '../retention.ts'
import { Id, IdParams, Moment, PageInfo, Paging } from '../scalars.ts'

/** Days in the query string; `none` for no separate rule. */
const DaysOrNone = z.union([z.literal('none').transform(() => null), z.coerce.number().pipe(RetentionDays)]).optional()

/** How long recordings are kept, and which are deleted when (docs/retention.md). */
export const retention = {
  own: endpoint({
    method: 'GET',
    path: '/api/retention',
    access: 'user',
    summary:
      'How many days recordings of the caller are kept, by their role or the setting; 0 for ever. `has_case_days`: some of their cases have ' +
      'other ones, which go before',
    response: z.object({ days: RetentionDays, has_case_days: z.boolean() }),
    errors: [],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/auth/admin/retention',
    access: 'admin',
    summary: 'How many days recordings are kept: the setting, by role of their owner, and by case',
    response: RetentionRules,
    errors: [],
  }),
  dryRun: endpoint({
    method: 'GET',
    path: '/api/auth/admin/retention/dry-run',
    access: 'admin',
    summary:
      'What would be deleted by now, or within so many days, and by which rule, due first first: recordings without their names, and ' +
      'the number of texts. The days of a role or a case that are named are taken instead of those that are set; `none` for none',
    query: z.object({
      ...Paging,
      within_days: z.coerce.number().int().min(0).max(maxDaysAhead).default(0),
      user_days: DaysOrNone,
      admin_days: DaysOrNone,
      super_admin_days: DaysOrNone,
      case: Id.optional(),
      case_days: DaysOrNone,
    }),
    response: z.object({
      recordings: z.array(DueRecording),
      ...PageInfo,
      /** The total size in bytes. */
      total_size: z.int().nonnegative(),
      /** The number of texts submitted for translation without a recording. */
      texts: z.int().nonnegative(),
      /** The number of recordings that would be deleted by then if they were not on legal hold. */
      held: z.int().nonnegative(),
      /** The end of the period: the current time of the database clock plus the days ahead. */
      until: Moment,
    }),
    errors: [],
  }),
  setRoleDays: endpoint({
    method: 'PUT',
    path: '/api/auth/super-admin/retention',
    access: 'super_admin',
    summary: 'Set how many days is kept what people of each role own; null: as the setting says, 0: for ever',
    body: z.object({ role_days: RoleDays }),
    response: RetentionRules,
    errors: [],
  }),
  setCaseDays: endpoint({
    method: 'PUT',
    path: '/api/auth/super-admin/retention/cases/:id',
    access: 'super_admin',
    summary:
      'Set how many days recordings of a case are kept, shorter or longer than without it; of several cases the longest counts. Null: no ' +
      'days of its own, 0: for ever',
    params: IdParams,
    body: z.object({ days: RetentionDays.nullable() }),
    response: RetentionRules,
    errors: ['not_found'],
  }),
}
