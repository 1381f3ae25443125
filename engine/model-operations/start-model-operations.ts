import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { publishModels, removeModelList } from '#data/models/model-lists.ts'
import {
  claimModelOperation,
  hasOpenModelOperations,
  reconcileModelOperations,
} from '#data/models/model-operation-lease.ts'
import { readFileState } from '#engine/models/file-state.ts'
import type { ModelOperationExecutor } from './execute-operation.ts'
import { runModelOperation } from './run-operation.ts'

/** How often the models are inspected: the command line or an operator may change them. */
const inspectMs = 10_000
/** An unchanged list is published again after this time, because old lists are deleted. */
const republishMs = 3_600_000

interface ModelOperationsOptions {
  connection: DatabaseConnection
  engineId: string
  activity: Activity
  executor: ModelOperationExecutor
  /** Called after each operation, which may have changed models or choices. */
  onChanged: () => Promise<unknown>
  /** Interval of polls of the queue; at rest, it is polled only while an operation is open. */
  pollMs: number
  /** Interval of checks for cancellation of the running operation. */
  checkMs: number
  drain: AbortSignal
  log: Logger
}

/**
 * Runs the model operations of super admins, one at a time and alongside the jobs, and publishes the list of models. `stopped` resolves
 * once `drain` has aborted and the current operation has been released.
 */
export function startModelOperations(options: ModelOperationsOptions): { stopped: Promise<void> } {
  const { connection, engineId, activity, executor, pollMs, checkMs, drain, log } = options
  const publisher = createPublisher(options)
  /** Whether the last poll left, or may have left, an open operation, which another engine runs. */
  let isOpen = false

  async function run() {
    await publisher.publish()
    while (!drain.aborted) {
      if (await runNext()) continue
      await activity.wait({ activeMs: pollMs, ...(isOpen && { restMs: pollMs }), signal: drain })
    }
    await publisher.stop()
  }

  /** Returns whether there was an operation. */
  async function runNext(): Promise<boolean> {
    isOpen = true
    try {
      isOpen = await hasOpenModelOperations(connection)
      if (!isOpen) return false
      await reconcileModelOperations(connection)
      const operation = await claimModelOperation(connection, engineId, executor.canRun)
      if (!operation) return false
      await runModelOperation({
        connection,
        operation,
        work: (task) => executor.run(operation, task),
        checkMs,
        drain,
        log: log.child({ operationId: operation.id, kind: operation.kind }),
      })
      await options.onChanged()
      await publisher.publish()
      return true
    } catch (error) {
      log.warn({ err: error }, 'a model operation could not be claimed or ended')
      return false
    }
  }

  return { stopped: run() }
}

/** Publishes the list of models when it changes. Models and catalogs are read only if one of their files has changed. */
function createPublisher({ connection, engineId, executor, log }: ModelOperationsOptions) {
  let published = ''
  let publishedAt = -Infinity
  let running: Promise<void> | undefined
  /** The files from which the list was built, and their state before that. */
  let paths: string[] = []
  let state: string | undefined

  async function inspect() {
    try {
      if ((await readFileState(paths)) === state && performance.now() - publishedAt < republishMs) return
      state = undefined
      const before = await readSettledState()
      const list = await executor.list()
      const text = JSON.stringify(list)
      if (text !== published || performance.now() - publishedAt >= republishMs) {
        await publishModels(connection, engineId, list)
        published = text
        publishedAt = performance.now()
      }
      state = before
    } catch (error) {
      log.warn({ err: error }, 'the list of models could not be published')
    }
  }

  /** Returns the state of all files that `list` would read if it ran now. */
  async function readSettledState(): Promise<string> {
    for (;;) {
      const read = await readFileState(paths)
      const found = await executor.listPaths()
      if (found.join('\n') === paths.join('\n')) return read
      paths = found
    }
  }

  /** Waits for an inspection in progress and then runs another, because the first may have seen the earlier state. */
  async function publish() {
    await running
    running = inspect()
    await running
  }

  const timer = setInterval(() => void publish(), inspectMs)
  return {
    publish,
    async stop() {
      clearInterval(timer)
      await running
      await removeModelList(connection, engineId).catch(() => undefined)
    },
  }
}
