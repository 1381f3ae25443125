import { plainLayout, type ReportLayout } from '#contract/formats/report-template-texts.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { requireReportTemplate } from '#data/report-templates/report-templates.ts'
import { findPeople } from '#data/users/people.ts'

interface LayoutChoice {
  /** Who makes the report. */
  userId: string
  /** The id of a report template of this user. */
  template: string | undefined
  hasFacts: boolean
}

/** Returns what is around the words of a report. Throws `not_found` where the user has no such template. */
export async function readLayout(
  connection: DatabaseConnection,
  { userId, template, hasFacts }: LayoutChoice,
): Promise<ReportLayout> {
  if (template === undefined) return { ...plainLayout, hasFacts }
  const [texts, people] = await Promise.all([
    requireReportTemplate(connection, userId, template),
    findPeople(connection, [userId]),
  ])
  return { texts, person: people.get(userId)?.name ?? '', hasFacts }
}
