import { z } from 'zod'
import { createAuditEventRepository } from '../audit/audit-events.ts'
import { readLastChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { createSystemFactRepository } from '../system/system-facts.ts'

export interface UpgradeData {
  /** Version of Awaz that last wrote the data, null if it did not store its version. */
  fromVersion: string | null
  /** Names of the migrations that are pending. */
  migrations: readonly string[]
}

/** An upgrade that has begun and not finished: its restore point, null where none is made, and the data that it began with. */
const BegunUpgrade = z.object({
  restorePoint: z.string().nullable(),
  fromVersion: z.string().nullable(),
  migrations: z.array(z.string()),
  lastChange: z.number(),
  /** Id of the newest entry of the audit trail; null while it is empty. */
  lastAuditEvent: z.string().nullable(),
})

const factName = 'restore_point'

/**
 * Returns the interrupted upgrade. Returns null if there is none, if it did not cover all of these migrations, or if Awaz has been in use
 * since then, which shows in the change counter and the audit trail: migrations touch neither.
 */
export async function findBegunUpgrade(
  connection: DatabaseConnection,
  data: UpgradeData,
): Promise<{ restorePoint: string | null } | null> {
  const stored = await createSystemFactRepository(connection).find(factName)
  const begun = BegunUpgrade.safeParse(stored === null ? undefined : parseJson(stored)).data
  if (!begun) return null
  const { lastChange, lastAuditEvent } = await readMarks(connection)
  const isSameUpgrade =
    begun.fromVersion === data.fromVersion && data.migrations.every((name) => begun.migrations.includes(name))
  const isUnchanged = begun.lastChange === lastChange && begun.lastAuditEvent === lastAuditEvent
  return isSameUpgrade && isUnchanged ? begun : null
}

/** Stores that an upgrade begins, once its restore point has been made. */
export async function storeBegunUpgrade(
  connection: DatabaseConnection,
  restorePoint: string | null,
  { fromVersion, migrations }: UpgradeData,
): Promise<void> {
  const begun = { restorePoint, fromVersion, migrations: [...migrations], ...(await readMarks(connection)) }
  const value: z.infer<typeof BegunUpgrade> = begun
  await createSystemFactRepository(connection).set(factName, JSON.stringify(value))
}

/** Forgets the unfinished upgrade, so that the next upgrade makes a new restore point. Does nothing if there is none. */
export async function forgetBegunUpgrade(connection: DatabaseConnection): Promise<void> {
  await createSystemFactRepository(connection).remove(factName)
}

/** Reads the counters that advance whenever Awaz is in use. */
async function readMarks(connection: DatabaseConnection) {
  const [lastChange, lastAuditEvent] = await Promise.all([
    readLastChange(connection),
    createAuditEventRepository(connection).findNewestId(),
  ])
  return { lastChange, lastAuditEvent }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
