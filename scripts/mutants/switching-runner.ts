// Runs each test once without a change, then once per change that it has reached and that no test has noticed yet.
import { dirname, relative } from 'node:path'
import { type RunnerTestCase, TestRunner, type TestTryOptions, type RunnerTestSuite } from 'vitest'
import { progressVariable, readProgress, writeProgress } from './progress.ts'
import { switchName } from './switches.ts'

/**
 * How many tests that reach a change may miss it before it counts as unnoticed. Otherwise a component used on every screen would be tried
 * by every test of every screen. Tests beside the changed file always try.
 */
const maxMisses = 60
const minPatienceMs = 1500

const path = process.env[progressVariable] ?? ''
const events = readProgress(path)
const folders = events.findLast((event) => event.event === 'start')?.folders ?? []
const killed = new Set(events.flatMap((event) => (event.event === 'killed' ? [event.id] : [])))
const misses = new Map<number, number>()
const seen = new Set<number>()
let active: number | undefined
let patienceMs: number | undefined

Object.defineProperty(globalThis, switchName, {
  configurable: true,
  value: {
    /** How long a test may wait for something that does not appear; undefined for the run without a change. Read by patience.ts. */
    get patienceMs() {
      return patienceMs
    },
    isOn(id: number) {
      seen.add(id)
      return id === active
    },
  },
})

/** The purpose of the next attempt at a test: a run without a change, a change, or a check that a change has left nothing behind. */
type Attempt = { kind: 'first' } | { kind: 'change' | 'control'; id: number }

// vitest accepts a runner only as a default export.
// oxlint-disable-next-line import/no-default-export
export default class SwitchingRunner extends TestRunner {
  #attempt: Attempt = { kind: 'first' }
  #queue: number[] = []
  #startedAt = 0

  override async onBeforeRunSuite(suite: RunnerTestSuite) {
    if ('filepath' in suite) writeProgress(path, { event: 'file', file: suite.file.filepath })
    await super.onBeforeRunSuite(suite)
  }

  override async onBeforeRunTask(test: RunnerTestCase) {
    await super.onBeforeRunTask(test)
    this.#attempt = { kind: 'first' }
    patienceMs = undefined
    if (seen.size > 0) writeProgress(path, { event: 'outside', ids: [...seen], file: test.file.filepath })
    // Ended by onAfterRetryTask.
    test.repeats = Number.MAX_SAFE_INTEGER
    test.retry = 0
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions) {
    super.onBeforeTryTask(test, options)
    seen.clear()
    this.#startedAt = performance.now()
    active = this.#attempt.kind === 'change' ? this.#attempt.id : undefined
    if (active !== undefined) writeProgress(path, { event: 'try', id: active, test: nameOf(test) })
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions) {
    await super.onAfterRetryTask(test, options)
    active = undefined
    const next = this.#next(test, test.result?.state === 'pass')
    seen.clear()
    if (!test.result) return
    test.result.errors = undefined
    test.result.attempts = []
    if (next) this.#attempt = next
    // A test that is marked as pending, as by `skip()`, is not run again.
    else Object.assign(test.result, { pending: true })
  }

  #next(test: RunnerTestCase, isPassed: boolean): Attempt | undefined {
    const attempt = this.#attempt
    const name = nameOf(test)
    if (attempt.kind === 'change') {
      if (!isPassed) return { kind: 'control', id: attempt.id }
      misses.set(attempt.id, (misses.get(attempt.id) ?? 0) + 1)
      writeProgress(path, { event: 'passed', id: attempt.id })
    } else if (attempt.kind === 'control') {
      if (!isPassed) {
        const ids = [attempt.id, ...this.#queue]
        writeProgress(path, { event: 'doubtful', ids, test: name, file: test.file.filepath })
        return undefined
      }
      killed.add(attempt.id)
      writeProgress(path, { event: 'killed', id: attempt.id, test: name })
    } else if (!isPassed) {
      if (test.result?.state === 'fail') writeProgress(path, { event: 'unusable', test: name })
      // It may pass in a separate run, which is worth trying for the changes beside it.
      const ids = [...seen].filter((id) => !killed.has(id) && isBeside(test, id))
      if (ids.length > 0) writeProgress(path, { event: 'doubtful', ids, test: name, file: test.file.filepath })
      return undefined
    }
    if (attempt.kind === 'first') {
      patienceMs = Math.max(minPatienceMs, 2 * (performance.now() - this.#startedAt))
      this.#queue = [...seen].filter(
        (id) => !killed.has(id) && (isBeside(test, id) || (misses.get(id) ?? 0) < maxMisses),
      )
    }
    const id = this.#queue.shift()
    return id === undefined ? undefined : { kind: 'change', id }
  }
}

function isBeside(test: RunnerTestCase, id: number) {
  return dirname(test.file.filepath) === folders[id]
}

function nameOf(test: RunnerTestCase) {
  return `${relative(process.cwd(), test.file.filepath)} > ${test.name}`
}
