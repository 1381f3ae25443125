import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { DatabaseConnection } from '#data/connect.ts'
import { publishModels, removeModelList } from '#data/models/model-lists.ts'
import { claimModelOperation, reconcileModelOperations } from '#data/models/model-operation-lease.ts'
import { runModelOperation } from './run-operation.ts'
import type { ModelOperationExecutor } from './execute-operation.ts'

/** How often the models are inspected, which the command line or an operator may change. */
const inspectMs = 10_000
/** An unchanged list is published again after this, because old lists are deleted. */
const republishMs = 3_600_000

interface ModelOperationsOptions {
  connection: DatabaseConnection
  engineId: string
  executor: ModelOperationExecutor
  /** Called after each operation, which may have changed models or choices. */
  onChanged: () => Promise<unknown>
  /** Interval of polls of the queue. */
  pollMs: number
  /** Interval of checks whether the running operation was cancelled. */
  checkMs: number
  drain: AbortSignal
  log: Logger
}

/**
 * Runs the model operations of super admins, one at a time and beside the jobs, and publishes the list of models. `stopped`
 * resolves after `drain` aborted and the current operation was released.
 */
export function startModelOperations(options: ModelOperationsOptions): { stopped: Promise<void> } {
  const { connection, engineId, executor, pollMs, checkMs, drain, log } = options
  const publisher = createPublisher(options)

  async function run() {
    await publisher.publish()
    while (!drain.aborted) {
      if (!(await runNext())) await sleep(pollMs, undefined, { signal: drain }).catch(() => undefined)
    }
    await publisher.stop()
  }

  /** Returns whether there was an operation. */
  async function runNext(): Promise<boolean> {
    try {
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

/** Publishes the list of models when it changed. */
function createPublisher({ connection, engineId, executor, log }: ModelOperationsOptions) {
  let published = ''
  let publishedAt = 0
  let running: Promise<void> | undefined

  async function inspect() {
    try {
      const list = await executor.list()
      const text = JSON.stringify(list)
      if (text === published && performance.now() - publishedAt < republishMs) return
      await publishModels(connection, engineId, list)
      published = text
      publishedAt = performance.now()
    } catch (error) {
      log.warn({ err: error }, 'the list of models could not be published')
    }
  }

  /** An inspection in progress is followed by another, because it may have seen the earlier state. */
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
