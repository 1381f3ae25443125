import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { findTranslationModel } from '../models/catalog.ts'
import { startTranslator } from './llama.ts'
import type { Translator } from './llama.ts'
import { angry, bomb, loopingText, segmentsOf } from './testing/sentences.ts'
import { translateSegments } from './translate.ts'

const started: Translator[] = []
const toEnglish = { source: 'ps', target: 'en' }

afterEach(async () => {
  await Promise.all(started.splice(0).map((translator) => translator.close()))
})

async function start(): Promise<Translator> {
  const translator = await startTranslator({ model: await findTranslationModel('demo-translator'), threads: 1 })
  started.push(translator)
  return translator
}

/** Whether a process is running; one that has exited but is not yet reaped by its parent is not. */
function isRunning(pid: number | undefined): boolean {
  try {
    const [state] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
    return state !== 'Z'
  } catch {
    return false
  }
}

/** The first process whose parent is `pid`; throws while there is none. */
function requireChildOf(pid: number | undefined): number {
  const children = pid === undefined ? '' : readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  if (children === '') throw new Error('no child yet')
  return Number(children.split(' ')[0])
}

test('an abort ends the job within two seconds and leaves no process', async () => {
  const other = await start()
  const controller = new AbortController()
  const segments = segmentsOf(...Array.from({ length: 200 }, (_, index) => `${angry.ps} ${index}`))
  let pid: number | undefined
  let abortedAt = 0
  const work = translateSegments({
    segments,
    sourceLanguage: 'ps',
    targetLanguage: 'en',
    translator: other,
    signal: controller.signal,
    onProgress: () => {
      if (controller.signal.aborted) return
      pid = other.pid()
      abortedAt = performance.now()
      controller.abort()
    },
  })
  await expect(work).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(performance.now() - abortedAt).toBeLessThan(2000)
  await other.close()
  expect(pid).toBeDefined()
  expect(isRunning(pid)).toBe(false)
})

test('an abort while the model loads leaves no process', async () => {
  const other = await start()
  const controller = new AbortController()
  const asked = other.complete(angry.ps, toEnglish, { signal: controller.signal })
  // llama tests its binary in a separate process before loading it.
  const trial = await vi.waitFor(() => requireChildOf(other.pid()), { timeout: 30_000, interval: 10 })
  const pid = other.pid()
  controller.abort()
  await expect(asked).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(isRunning(pid)).toBe(false)
  await vi.waitFor(() => expect(isRunning(trial)).toBe(false), { timeout: 5000 })
})

test('an abort in the middle of a text terminates its process', async () => {
  const other = await start()
  await other.complete(angry.ps, toEnglish)
  const pid = other.pid()
  const controller = new AbortController()
  const asked = other.complete(loopingText, toEnglish, { signal: controller.signal })
  setImmediate(() => controller.abort())
  await expect(asked).rejects.toMatchObject({ code: 'job_cancelled' })
  expect(isRunning(pid)).toBe(false)
})

test('a process that crashes in the middle of a text is replaced and the text repeated', async () => {
  const other = await start()
  await other.complete(angry.ps, toEnglish)
  const pid = other.pid()
  const asked = other.complete(bomb.ps, toEnglish)
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  await expect(asked).resolves.toMatchObject({ text: bomb.en })
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false))
  expect(other.pid()).not.toBe(pid)
})
