import { beforeEach, expect, test } from 'vitest'
import { createFileQueue, type FileQueue } from './file-queue.ts'

let now: number
let fileQueue: FileQueue

beforeEach(() => {
  now = 0
  fileQueue = createFileQueue({ settleMs: 10_000, retryMs: 60_000, maxPerTurn: 2, now: () => now })
})

/** Reports the result of a scan at a time: the state of each file by its path. */
function scanAt(time: number, files: Record<string, string>, settings: Record<string, string> = {}) {
  now = time
  const paths = Map.groupBy(Object.keys(files), (path) => path.slice(0, path.lastIndexOf('/')))
  const folders = [...paths].map(([folder, names]) => ({
    path: folder.split('/').map((name) => Buffer.from(name)),
    files: names.map((path) => ({ name: Buffer.from(path.slice(folder.length + 1)), state: files[path] ?? '' })),
    settings: settings[folder],
  }))
  fileQueue.update({ folders, problems: [] }, time)
}

const next = () => {
  const turn = fileQueue.next()
  return turn && turn.names.map((name) => [...turn.folder, name].join('/'))
}

function settleAll(state: 'taken' | 'changing' | 'untouched') {
  const turn = fileQueue.next()
  if (turn)
    fileQueue.settle(
      turn,
      turn.names.map((name) => ({ name, state })),
    )
  return turn
}

test('gives files out that have not changed for the time, not those that grow or are new', () => {
  scanAt(0, { 'a/still.wav': '1', 'a/grows.wav': '1' })
  scanAt(5_000, { 'a/still.wav': '1', 'a/grows.wav': '2' })
  expect(next()).toBeUndefined()
  scanAt(10_000, { 'a/still.wav': '1', 'a/grows.wav': '2', 'a/new.wav': '1' })
  expect(next()).toEqual(['a/still.wav'])
  expect(next()).toBeUndefined()
  scanAt(20_000, { 'a/still.wav': '1', 'a/grows.wav': '2', 'a/new.wav': '1' })
  expect(next()).toEqual(['a/grows.wav', 'a/new.wav'])
})

test('the folders in the watched one take turns, and so do those below', () => {
  const all = ['a/x/1', 'a/x/2', 'a/x/3', 'a/y/1', 'a/y/2', 'a/y/3', 'b/1']
  const files = Object.fromEntries(all.map((path) => [path, '1']))
  scanAt(0, files)
  scanAt(10_000, files)
  expect([next(), next(), next(), next(), next()]).toEqual([
    ['a/x/1', 'a/x/2'],
    ['b/1'],
    ['a/y/1', 'a/y/2'],
    ['a/x/3'],
    ['a/y/3'],
  ])
})

test('says whether another folder waits', () => {
  scanAt(0, { 'a/1': '1', 'a/below/1': '1' })
  scanAt(10_000, { 'a/1': '1', 'a/below/1': '1', 'b/1': '1' })
  const folder = [Buffer.from('a')]
  expect(fileQueue.isAnotherWaiting({ folder })).toBe(false)
  scanAt(20_000, { 'a/1': '1', 'a/below/1': '1', 'b/1': '1' })
  expect(fileQueue.isAnotherWaiting({ folder })).toBe(true)
})

test('a file that could not be taken is given out again after a while, and at once when its settings change', () => {
  const files = { 'a/below/1': '1' }
  scanAt(0, files, { 'a/below': 'old' })
  scanAt(10_000, files, { 'a/below': 'old' })
  const fail = () => {
    const turn = fileQueue.next()
    if (turn) fileQueue.settle(turn, [{ name: Buffer.from('1'), state: 'later', reason: 'No room' }])
    return turn !== undefined
  }
  expect(fail()).toBe(true)
  expect(fileQueue.list().map(({ reason }) => reason)).toEqual(['No room'])
  expect(fail()).toBe(false)
  now = 70_000
  expect(fail()).toBe(true)
  scanAt(71_000, files, { 'a/below': 'new' })
  expect(next()).toEqual(['a/below/1'])
})

test('a file that changed while it was taken has to settle again; one that was not begun has not', () => {
  scanAt(0, { 'a/1': '1' })
  scanAt(10_000, { 'a/1': '1' })
  settleAll('untouched')
  settleAll('changing')
  expect(next()).toBeUndefined()
  scanAt(15_000, { 'a/1': '1' })
  expect(next()).toBeUndefined()
  scanAt(20_000, { 'a/1': '1' })
  expect(next()).toEqual(['a/1'])
})

test('forgets files that were taken or are gone', () => {
  scanAt(0, { 'a/1': '1', 'b/1': '1' })
  scanAt(10_000, { 'a/1': '1', 'b/1': '1' })
  settleAll('taken')
  expect(fileQueue.list()).toHaveLength(1)
  scanAt(11_000, { 'a/2': '1' })
  expect(fileQueue.list().map(({ name }) => name.toString())).toEqual(['2'])
})

test('settings that change while a file is tried make it be tried again at once, once', () => {
  const files = { 'a/one.wav': '1' }
  scanAt(0, files)
  scanAt(10_000, files)
  const fail = () => {
    const { folder, names } = fileQueue.next() ?? { folder: [], names: [] }
    return (reason: string) =>
      fileQueue.settle(
        { folder },
        names.map((name) => ({ name, state: 'later' as const, reason })),
      )
  }
  const settleFirst = fail()
  scanAt(11_000, files, { a: 'changed' })
  settleFirst('No room')
  const settleSecond = fail()
  settleSecond('No room')
  expect(next()).toBeUndefined()
  now += 60_000
  expect(next()).toEqual(['a/one.wav'])
})
