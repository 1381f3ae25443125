import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ifExists } from '#data/if-exists.ts'
import { dataVersion } from '#data/data-version.ts'
import { migrations } from '#data/migrations/migrations.ts'
import { settings } from '#data/settings.ts'

/** In a release folder: what an older release needs to know about it before being replaced. */
export const upgradeInfoFile = 'upgrade.json'

/** Must not contain control characters, because it is printed. */
const Name = z.string().regex(/^[\w.+-]{1,100}$/)

const MigrationInfo = z.object({
  name: Name,
  dataVersion: z.number(),
  collection: Name,
  /** Values of fields: an operator, such as $where, could run code in the database. */
  filter: z.record(z.string().regex(/^[^$]/), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  documentsPerSecond: z.number().positive(),
})
export type MigrationInfo = z.infer<typeof MigrationInfo>

const UpgradeInfo = z.object({
  format: z.literal(1),
  /** Includes the commit: `0.3.0+20261201.abc1234`. */
  version: Name,
  dataVersion: z.number(),
  migrations: z.array(MigrationInfo),
  /** Names of the settings that it knows. */
  settings: z.array(z.string()),
})
export type UpgradeInfo = z.infer<typeof UpgradeInfo>

/** Returns what a release of this code says about itself. */
export function describeThisRelease(version: string): UpgradeInfo {
  const listed = migrations.map(({ name, dataVersion: after, collection, filter, documentsPerSecond }) => ({
    name,
    dataVersion: after,
    collection,
    filter,
    documentsPerSecond,
  }))
  return { format: 1, version, dataVersion, migrations: listed, settings: Object.keys(settings) }
}

/** Reads `upgrade.json` of a release folder; undefined if there is none that this code can read. */
export async function readUpgradeInfo(folder: string): Promise<UpgradeInfo | undefined> {
  const text = await ifExists(() => readFile(join(folder, upgradeInfoFile), 'utf8'))
  if (text === undefined) return undefined
  try {
    return UpgradeInfo.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
