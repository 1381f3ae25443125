import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ifExists } from '../if-exists.ts'

/** The record of a restore point, the last file written to its folder. */
export const RestorePointRecord = z.object({
  format: z.literal(1),
  /** The time of the copy, ISO 8601. */
  createdAt: z.iso.datetime(),
  /** Version of the data in it. */
  dataVersion: z.number().int(),
  /** Version of the Awaz that last wrote this data; null where it did not store it. */
  fromVersion: z.string().nullable(),
  /** Version of the Awaz that changed the data afterwards. */
  toVersion: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
})
export type RestorePointRecord = z.infer<typeof RestorePointRecord>

export interface RestorePoint extends RestorePointRecord {
  /** Name of its folder: `20261126T061500000Z-data-1`. */
  name: string
  folder: string
  /** The copy of the embedded database's file. */
  dataFile: string
}

const namePattern = /^\d{8}T\d{9}Z-data-\d+$/
const recordName = 'restore-point.json'
const dataFileName = 'awaz.sqlite'
/** Number of restore points kept: older ones are deleted. */
const maxKept = 2

export function restorePointsFolder(dataDir: string): string {
  return join(dataDir, 'restore-points')
}

/** Returns the paths in the folder of a restore point. */
export function restorePointPaths(folder: string) {
  return { dataFile: join(folder, dataFileName), record: join(folder, recordName) }
}

/**
 * Returns the name of a new restore point: its time and the version of its data. It sorts after all existing ones, even if the clock was
 * set back: the order of the names decides which is the newest.
 */
export async function nextRestorePointName(dataDir: string, at: Date, dataVersion: number): Promise<string> {
  const newest = (await listNames(dataDir)).map(timeOf).reduce((latest, time) => Math.max(latest, time), 0)
  const time = new Date(Math.max(at.getTime(), newest + 1))
  return `${time.toISOString().replaceAll(/[-:.]/g, '')}-data-${dataVersion}`
}

/** Returns the names of all restore points, newest first. */
async function listNames(dataDir: string): Promise<string[]> {
  const names = (await ifExists(() => readdir(restorePointsFolder(dataDir)))) ?? []
  return names
    .filter((name) => namePattern.test(name))
    .toSorted()
    .toReversed()
}

/** Returns the time in the name of a restore point, in milliseconds since the epoch. */
function timeOf(name: string): number {
  const iso = name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3}).*$/, '$1-$2-$3T$4:$5:$6.$7Z')
  return Date.parse(iso) || 0 // a name with an invalid time is not ours
}

/** Returns the finished restore points, newest first. */
export async function listRestorePoints(dataDir: string): Promise<RestorePoint[]> {
  const root = restorePointsFolder(dataDir)
  const points = await Promise.all((await listNames(dataDir)).map((name) => readRestorePoint(root, name)))
  return points.filter((point) => point !== undefined)
}

/** Returns a restore point by the name of its folder; undefined where it has no valid record. */
export async function readRestorePoint(root: string, name: string): Promise<RestorePoint | undefined> {
  const folder = join(root, name)
  const { dataFile, record } = restorePointPaths(folder)
  const text = await ifExists(() => readFile(record, 'utf8'))
  const parsed = RestorePointRecord.safeParse(text === undefined ? undefined : parseJson(text))
  return parsed.success ? { ...parsed.data, name, folder, dataFile } : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Deletes all but the newest restore points. */
export async function pruneRestorePoints(dataDir: string): Promise<void> {
  const old = (await listNames(dataDir)).slice(maxKept)
  for (const name of old) await rm(join(restorePointsFolder(dataDir), name), { recursive: true, force: true })
}
