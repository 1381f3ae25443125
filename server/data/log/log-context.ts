import { AsyncLocalStorage } from 'node:async_hooks'

/** Fields of every line logged during a piece of work, whichever part of the program logs it. */
interface LogContext {
  jobId: string
  kind: string
  attempt: number
}

const storage = new AsyncLocalStorage<LogContext>()

/** Runs work whose log lines all get these fields, including lines of servers and models shared by all jobs. */
export function withLogContext<Value>(context: LogContext, work: () => Promise<Value>): Promise<Value> {
  return storage.run(context, work)
}

export function readLogContext(): LogContext | undefined {
  return storage.getStore()
}
