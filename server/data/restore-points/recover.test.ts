import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { stageRestorePoint } from './make-restore-point.ts'
import { databasePaths, recoverRestorePoints } from './recover.ts'
import { listRestorePoints, restorePointPaths, restorePointsFolder } from './restore-points.ts'

/** Stages a restore point of the database in a new data folder, like a process that dies before finishing it. */
async function stage() {
  const dataDir = await temporaryFolder()
  const { live, incoming } = databasePaths(dataDir)
  await mkdir(join(dataDir, 'db'))
  await writeFile(live, 'former data')
  const { name } = await stageRestorePoint(live, dataDir, { dataVersion: 1, fromVersion: null })
  const paths = restorePointPaths(join(restorePointsFolder(dataDir), `${name}.partial`))
  async function replace() {
    await writeFile(incoming, 'other data')
    await rename(incoming, live)
  }
  return { dataDir, name, live, incoming, paths, replace }
}

test('a restore point that is the only copy of a replaced database is finished', async () => {
  const { dataDir, name, replace } = await stage()
  await replace()
  expect(await recoverRestorePoints(dataDir)).toEqual([name])
  const [point, ...others] = await listRestorePoints(dataDir)
  expect([await readFile(point?.dataFile ?? '', 'utf8'), others]).toEqual(['former data', []])
})

test('one whose file is still the database is deleted, and so is the copy that replaced nothing', async () => {
  const { dataDir, live, incoming } = await stage()
  await writeFile(incoming, 'half of a cop')
  expect(await recoverRestorePoints(dataDir)).toEqual([])
  expect(await readFile(live, 'utf8')).toBe('former data')
  expect(await readdir(join(dataDir, 'db'))).toEqual(['awaz.sqlite'])
  expect(await readdir(restorePointsFolder(dataDir))).toEqual([])
})

test.each<[string, (paths: { dataFile: string; record: string }) => Promise<void>]>([
  ['has no record', ({ record }) => rm(record)],
  ['has no data', ({ dataFile }) => rm(dataFile)],
  ['is longer than its record says', ({ dataFile }) => appendFile(dataFile, 'x')],
  ['has other data than its record says', ({ dataFile }) => writeFile(dataFile, 'formed data')],
])('one that %s is deleted', async (_name, damage) => {
  const { dataDir, paths, replace } = await stage()
  await replace()
  await damage(paths)
  expect(await recoverRestorePoints(dataDir)).toEqual([])
  expect(await readdir(restorePointsFolder(dataDir))).toEqual([])
})
