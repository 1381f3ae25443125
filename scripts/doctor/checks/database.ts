import { describeConnectionFailure } from '#data/connection-failures.ts'
import { assertKnownDataVersion, NewerDataError } from '#data/data-version.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import { UnsupportedDatabaseError } from '#data/deployment.ts'
import { isEmbedded, withEmbeddedSnapshot } from '#data/embedded-snapshot.ts'
import { findFileDamage } from '#data/file-damage.ts'
import { findIndexProblems, type IndexProblem } from '#data/health/index-problems.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { isMigrationPending } from '#data/prepare-data.ts'
import { findCopyProblems } from '#server/embedded-db/storage/check-copy.ts'
import { amountTexts, listSome } from '#server/features/system/state/amount-texts.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'database.unreachable': {
    severity: 'problem',
    title: 'The database cannot be opened',
    why: 'Awaz does not work without it. What needs the database was not checked.',
    remedy:
      'Embedded: read the message, and restore a backup where the file is damaged. MongoDB: start it, and check MONGODB_URI.',
  },
  'database.too_old': {
    severity: 'problem',
    title: 'The version of MongoDB is not supported',
    why: 'Awaz does not start with it. What needs the database was not checked.',
    remedy: 'Upgrade MongoDB (docs/mongodb.md).',
  },
  'database.newer': {
    severity: 'problem',
    title: 'The data was written by a newer Awaz',
    why: 'This version would misread it, and does not start.',
    remedy: 'Start the newer version again, or restore a backup from before the upgrade.',
  },
  'database.older': {
    severity: 'warning',
    title: 'The data is of an earlier version',
    why: 'This Awaz migrates it when it starts, and the earlier one cannot read it any more. Its indexes were not checked.',
    remedy:
      'To stay with the earlier version, use its commands and do not start this one; else start this Awaz (docs/upgrading.md).',
  },
  'database.damaged': {
    severity: 'problem',
    title: 'The file of the embedded database is damaged',
    why: 'Parts of it cannot be read or are wrong, and it gets worse with each write.',
    remedy:
      'Stop Awaz, keep a copy of DATA_DIR, and restore the newest backup (docs/backup.md). Then check the disk and the memory of this machine.',
  },
  'database.index_missing': {
    severity: 'warning',
    title: 'Indexes are missing',
    why: 'Queries read whole collections, and what must be unique may be stored twice.',
    remedy: 'npm run awaz -- doctor --fix makes them; so does a restart.',
    command: 'npm run awaz -- doctor --fix',
  },
  'database.index_different': {
    severity: 'warning',
    title: 'Indexes have other options than this version declares',
    why: 'What must be unique or expire may not do so.',
    remedy: 'Drop the named index, then npm run awaz -- doctor --fix.',
    command: 'npm run awaz -- doctor --fix',
  },
  'database.clock': {
    severity: 'problem',
    title: 'The clock of this machine and that of the database differ',
    why: 'Leases of jobs, sessions and codes of second factors go by these clocks.',
    remedy: 'Let NTP set the clocks of all machines: timedatectl set-ntp true.',
    command: 'timedatectl set-ntp true',
  },
} as const

const finding = findingsOf(findings)
/** RFC 6238 codes are accepted one step of 30 s early or late. */
const maxClockDifferenceMs = 10_000

/** Returns the finding that the database cannot be opened. */
export function databaseUnreachable(error: unknown): Finding {
  if (error instanceof UnsupportedDatabaseError) return finding('database.too_old', error.message)
  const failure = describeConnectionFailure(error)
  if (failure) return finding('database.unreachable', `${failure.reason} ${failure.advice}`)
  const reason = error instanceof Error ? error.message : String(error)
  const isDamaged = /malformed|not a database|is damaged/.test(reason)
  return finding(
    isDamaged ? 'database.damaged' : 'database.unreachable',
    `The database cannot be opened: ${reason.trim()}`,
  )
}

/** Checks version, indexes and clock. */
export const databaseCheck: Check<DatabaseContext> = { name: 'database', findings, run }

async function run(context: DatabaseContext): Promise<Finding[]> {
  const { connection } = context
  const askedAt = Date.now()
  const databaseTime = (await readDatabaseTime(connection)).getTime()
  // The database read its clock at some time between the question and now.
  const differenceMs = Math.max(0, askedAt - databaseTime, databaseTime - Date.now())
  const found: Finding[] = []
  if (differenceMs > maxClockDifferenceMs)
    found.push(finding('database.clock', `They differ by ${amountTexts.seconds(Math.round(differenceMs / 1000))}.`))
  try {
    await assertKnownDataVersion(connection)
  } catch (error) {
    if (!(error instanceof NewerDataError)) throw error
    return [...found, finding('database.newer', error.message)] // this version does not know its indexes
  }
  if (await isMigrationPending(connection)) return [...found, finding('database.older', 'It has to be migrated.')]
  return [...found, ...(await checkIndexes(context))]
}

async function checkIndexes({ connection, isFixing }: DatabaseContext): Promise<Finding[]> {
  const problems = await findIndexProblems(connection)
  const missing = namesOf(problems, 'missing')
  const different = namesOf(problems, 'different')
  const found: Finding[] = []
  if (missing.length > 0) {
    const fixed = isFixing ? await makeIndexes(connection) : undefined
    found.push(
      finding('database.index_missing', `Not there: ${amountTexts.indexes(missing.length)} (${listSome(missing)}).`, {
        fixed,
      }),
    )
  }
  if (different.length > 0)
    found.push(
      finding(
        'database.index_different',
        `Different: ${amountTexts.indexes(different.length)} (${listSome(different)}).`,
      ),
    )
  return found
}

async function makeIndexes(connection: DatabaseContext['connection']): Promise<string | undefined> {
  await ensureIndexes(connection).catch(() => undefined) // fails where an index differs, or where its values are not unique
  const left = (await findIndexProblems(connection)).filter(({ problem }) => problem === 'missing')
  return left.length === 0 ? 'The indexes were made.' : undefined
}

function namesOf(problems: IndexProblem[], problem: IndexProblem['problem']): string[] {
  return problems.filter((each) => each.problem === problem).map(({ collection, name }) => `${collection}.${name}`)
}

/** Checks the file of the embedded database, using a copy, while Awaz keeps running. */
export const databaseFileCheck: Check<DatabaseContext> = { name: 'database file', findings, run: checkFile }

async function checkFile({ connection, signal, onProgress, isThorough }: DatabaseContext): Promise<Finding[]> {
  const known = await findFileDamage(connection)
  if (known !== undefined) return [finding('database.damaged', `SQLite says: ${known}`)]
  const { db } = connection
  if (!db || !(await isEmbedded(db))) return []
  const check = async (file: string) => findCopyProblems(file, { isThorough })
  const problems = await withEmbeddedSnapshot(db, { signal, onProgress }, check)
  return problems.map((problem) => finding('database.damaged', problem))
}
