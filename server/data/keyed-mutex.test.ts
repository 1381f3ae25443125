import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'

test('tasks of one key run one after the other, also after a failure, and other keys do not wait', async () => {
  const runExclusive = createKeyedMutex()
  const started: string[] = []
  const blocker = Promise.withResolvers<void>()
  const failing = runExclusive('a', async () => {
    started.push('a1')
    await blocker.promise
    throw new Error('failed')
  })
  const next = runExclusive('a', async () => started.push('a2'))
  await runExclusive('b', async () => started.push('b1'))
  expect(started).toEqual(['a1', 'b1'])
  blocker.resolve()
  await expect(failing).rejects.toThrow('failed')
  await next
  expect(started).toEqual(['a1', 'b1', 'a2'])
})

test('a task that is added while another waits runs after it', async () => {
  const runExclusive = createKeyedMutex()
  const started: string[] = []
  const blocker = Promise.withResolvers<void>()
  const first = runExclusive('a', async () => started.push('a1'))
  const second = runExclusive('a', async () => {
    started.push('a2')
    await blocker.promise
  })
  await first
  const third = runExclusive('a', async () => started.push('a3'))
  await runExclusive('b', async () => started.push('b1'))
  expect(started).toEqual(['a1', 'a2', 'b1'])
  blocker.resolve()
  await Promise.all([second, third])
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
})
