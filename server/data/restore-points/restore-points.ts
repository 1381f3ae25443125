import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ifExists } from '../if-exists.ts'

/** Written last into the folder of a restore point. */
export const RestorePointRecord = z.object({
  format: z.literal(1),
  /** ISO 8601: the moment of the copy. */
  createdAt: z.iso.datetime(),
  /** Of the data in it. */
  dataVersion: z.number().int(),
  /** Version of the Awaz that wrote this data last; null where it did not store it. */
  fromVersion: z.string().nullable(),
  /** Version of the Awaz that changed the data after it. */
  toVersion: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
})
export type RestorePointRecord = z.infer<typeof RestorePointRecord>

export interface RestorePoint extends RestorePointRecord {
  /** Of its folder: `20261126T061500000Z-data-1`. */
  name: string
  folder: string
  /** The copy of the embedded database's file. */
  dataFile: string
}

const namePattern = /^\d{8}T\d{9}Z-data-\d+$/
const recordName = 'restore-point.json'
const dataFileName = 'awaz.sqlite'
/** Older ones are deleted. */
const maxKept = 2

export function restorePointsFolder(dataDir: string): string {
  return join(dataDir, 'restore-points')
}

/** Returns the paths in the folder of a restore point. */
export function restorePointPaths(folder: string) {
  return { dataFile: join(folder, dataFileName), record: join(folder, recordName) }
}

/** Returns the name of a restore point: its time and the version of its data. */
export function restorePointName(at: Date, dataVersion: number): string {
  return `${at.toISOString().replaceAll(/[-:.]/g, '')}-data-${dataVersion}`
}

/** Returns the finished restore points, newest first. */
export async function listRestorePoints(dataDir: string): Promise<RestorePoint[]> {
  const root = restorePointsFolder(dataDir)
  const names = ((await ifExists(() => readdir(root))) ?? []).filter((name) => namePattern.test(name))
  const points = await Promise.all(
    names
      .toSorted()
      .toReversed()
      .map((name) => readRestorePoint(root, name)),
  )
  return points.filter((point) => point !== undefined)
}

async function readRestorePoint(root: string, name: string): Promise<RestorePoint | undefined> {
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

/** Deletes all but the newest, and what a killed process left unfinished. */
export async function pruneRestorePoints(dataDir: string): Promise<void> {
  const root = restorePointsFolder(dataDir)
  const names = (await ifExists(() => readdir(root))) ?? []
  const old = names
    .filter((name) => namePattern.test(name))
    .toSorted()
    .toReversed()
    .slice(maxKept)
  const partial = names.filter((name) => name.endsWith('.partial'))
  for (const name of [...old, ...partial]) await rm(join(root, name), { recursive: true, force: true })
}
