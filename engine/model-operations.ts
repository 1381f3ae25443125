import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { publishModels, removeModelList } from '#data/models/model-lists.ts'
import { claimModelOperation, reconcileModelOperations } from '#data/models/model-operation-lease.ts'
import { runModelOperation } from './model-operation-runner.ts'
import type { ModelTools } from './model-operation-work.ts'

/** Between two looks for an operation that waits. */
const restMs = 1_000
/** Between two looks at the models, which others may change: the command line, or a hand in the folder. */
const lookMs = 10_000
/** What did not change is published again after this, because old lists are deleted. */
const republishMs = 3_600_000

interface ModelOperationsOptions {
  connection: Connection
  engineId: string
  tools: ModelTools
  /** Notices at once that models or choices changed. */
  onChanged: () => Promise<unknown>
  drain: AbortSignal
  log: Logger
}

/**
 * Does what super admins ask for, one operation after the other and beside the jobs, and publishes which models there are. `stopped`
 * resolves after `drain` aborted and the operation at hand was given back.
 */
export function startModelOperations(options: ModelOperationsOptions): { stopped: Promise<void> } {
  const { connection, engineId, tools, drain, log } = options
  const publisher = createPublisher(options)

  async function work() {
    await publisher.publish()
    while (!drain.aborted) {
      if (!(await workOnce())) await sleep(restMs, undefined, { signal: drain }).catch(() => undefined)
    }
    await publisher.stop()
  }

  /** Whether there was something to do. */
  async function workOnce(): Promise<boolean> {
    try {
      await reconcileModelOperations(connection)
      const operation = await claimModelOperation(connection, engineId, tools.canRun)
      if (!operation) return false
      await runModelOperation({
        connection,
        operation,
        work: (task) => tools.run(operation, task),
        drain,
        log: log.child({ operationId: operation._id.toHexString(), kind: operation.kind }),
      })
      await options.onChanged()
      await publisher.publish()
      return true
    } catch (error) {
      log.warn({ err: error }, 'an operation on models could not be taken or ended')
      return false
    }
  }

  return { stopped: work() }
}

/** Publishes the list of models where it changed. */
function createPublisher({ connection, engineId, tools, log }: ModelOperationsOptions) {
  let published = ''
  let publishedAt = 0
  let running: Promise<void> | undefined

  async function look() {
    try {
      const list = await tools.list()
      const text = JSON.stringify(list)
      if (text === published && performance.now() - publishedAt < republishMs) return
      await publishModels(connection, engineId, list)
      published = text
      publishedAt = performance.now()
    } catch (error) {
      log.warn({ err: error }, 'the list of models could not be published')
    }
  }

  /** After a look that is under way comes another: it may have seen the state before. */
  async function publish() {
    await running
    running = look()
    await running
  }

  const timer = setInterval(() => void publish(), lookMs)
  return {
    publish,
    async stop() {
      clearInterval(timer)
      await running
      await removeModelList(connection, engineId).catch(() => undefined)
    },
  }
}
