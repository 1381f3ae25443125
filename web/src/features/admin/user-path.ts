import { t } from '#contract/texts/t.ts'

/** The address of a user's page. */
export function userPath(id: string): string {
  return t('/admin/user?id={id}', { id })
}
