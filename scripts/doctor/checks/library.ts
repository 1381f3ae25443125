import { t } from '#contract/texts/t.ts'
import { readLibraryCheck } from '#data/library/library-checks.ts'
import { createUserRepository } from '#data/users/users.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'accounts.no_super_admin': {
    severity: 'problem',
    title: 'There is no active super admin',
    why: 'Nobody can change sign-in settings, mail and models.',
    remedy: 'npm run awaz -- admin role EMAIL super_admin, or admin create EMAIL --role super_admin.',
    command: 'npm run awaz -- admin role EMAIL super_admin',
  },
  'library.failed': {
    severity: 'warning',
    title: 'Search, alerts or cases of some recordings could not be repaired in the last nightly check',
    why: 'They are missing in search results, or alerts of them are.',
    remedy: 'The log of the engine says why; npm run awaz -- search rebuild makes the search index anew.',
    command: 'npm run awaz -- search rebuild',
  },
  'library.unchecked': {
    severity: 'warning',
    title: 'The nightly check of the library has not ended for three days',
    why: 'What is derived from recordings is not compared with them.',
    remedy: 'Read the log of the engine for "could not be checked", and restart it.',
  },
} as const

const finding = findingsOf(findings)
const maxCheckAgeMs = 3 * 24 * 3_600_000

/** Checks that someone can administer the instance, and the result of the last check of data derived from recordings. */
export const libraryCheck: Check<DatabaseContext> = { name: 'accounts and library', findings, run }

async function run({ connection, isRunning, now }: DatabaseContext): Promise<Finding[]> {
  const found: Finding[] = []
  if ((await createUserRepository(connection).countActiveSuperAdmins()) === 0)
    found.push(finding('accounts.no_super_admin', 'No active account has the role super admin.'))
  const check = await readLibraryCheck(connection)
  if (!check) return found
  if (check.failed > 0)
    found.push(
      finding(
        'library.failed',
        t('{1, number} of {2, number} recordings, on {3}.', {
          1: check.failed,
          2: check.recordings,
          3: check.checked_at,
        }),
      ),
    )
  if (isRunning && now().getTime() - Date.parse(check.checked_at) > maxCheckAgeMs)
    found.push(finding('library.unchecked', `The last ended on ${check.checked_at}.`))
  return found
}
