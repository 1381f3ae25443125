import { lstat, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { filesIn, makeCall, until, useWatchedFolder } from './testing/watched-folder.ts'

const context = useWatchedFolder()
/** A folder that Awaz can read and write, but the people who write to `own` cannot. */
let outside: string
let monday: string

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'awaz-outside-'))
  onTestFinished(() => rm(outside, { recursive: true }))
  monday = await context.fill(join(context.user.email, 'monday'), { 'a.wav': makeCall(), 'b.wav': makeCall(1) })
})

/** Returns a function that replaces a folder with a link the first time it is called. */
function swapOnce(folder: string) {
  let isSwapped = false
  return async () => {
    if (isSwapped) return
    isSwapped = true
    await rename(folder, `${folder}.away`).catch(() => undefined) // it may not exist yet
    await symlink(outside, folder)
  }
}

test('a folder that is swapped for a link while its batch is taken gives no files of another', async () => {
  const secret = makeCall(2).slice(0, 100_000)
  await writeFile(join(outside, 'b.wav'), secret)
  await context.watch({ beforeReading: swapOnce(monday) })
  const away = join(context.own, 'monday.away')
  await until(async () => expect(await filesIn(join(away, 'done'))).toEqual(['a.wav', 'b.wav']))
  expect(await filesIn(outside)).toEqual(['b.wav'])
  expect(await context.library()).toEqual(['a.wav', 'b.wav'])
  const { data } = await context.server.call(api.recordings.list, { token: context.user.accessToken })
  expect(data.recordings.map(({ size }) => size)).toEqual([makeCall().length, makeCall(1).length])
})

test('files are moved within their own folder though it is swapped for a link before', async () => {
  const times = await stat(join(monday, 'a.wav'))
  await writeFile(join(outside, 'a.wav'), makeCall(2))
  await utimes(join(outside, 'a.wav'), times.atime, times.mtime)
  await utimes(join(monday, 'a.wav'), times.atime, times.mtime)
  const swap = swapOnce(monday)
  await context.watch({ startBatch: swap })
  await until(async () => expect(await filesIn(join(context.own, 'monday.away', 'done'))).toEqual(['a.wav', 'b.wav']))
  expect(await filesIn(outside)).toEqual(['a.wav'])
})

test('files are not moved into a folder that is behind a link', async () => {
  const swap = swapOnce(join(monday, 'done'))
  await context.watch({ startBatch: swap })
  await until(async () => expect(await context.library()).toEqual(['a.wav', 'b.wav']))
  // The recordings are stored before their batch starts, which is when the link is created.
  await until(async () => expect((await lstat(join(monday, 'done'))).isSymbolicLink()).toBe(true))
  await rm(join(monday, 'done'))
  // Waiting files are tried again once the settings of their folder change.
  await writeFile(join(monday, 'watch.json'), '{}')
  await until(async () => expect(await filesIn(join(monday, 'done'))).toEqual(['a.wav', 'b.wav']))
  expect(await filesIn(outside)).toEqual([])
})
