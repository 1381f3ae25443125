import type { ActivityIntervals } from '#data/activity.ts'
import { readConfig } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createProcessLog, type ProcessLog } from '#data/log/process-log.ts'
import { createOutageHooks } from '#data/outage-log.ts'
import { startEngine, type EngineIntervals } from '#engine/engine.ts'

/** Intervals of an engine in a test, short enough that tests need not wait for them. */
const intervals: EngineIntervals = {
  heartbeatMs: 500,
  restingHeartbeatMs: 60_000,
  checkModelsMs: 500,
  pollMs: 100,
  pollOperationsMs: 50,
  checkOperationMs: 20,
  activity: { activeMs: 100, restMs: 100, activeForMs: 30_000 },
}

export interface TestEngine {
  /** Parsed log lines so far. */
  lines: Record<string, unknown>[]
  /** Stops the engine as a signal would; does nothing if it has already stopped. */
  stop(): Promise<void>
}

interface TestEngineOptions {
  connection: DatabaseConnection
  dataDir: string
  env?: Record<string, string>
  /** Intervals of the reads that check for activity. */
  activity?: ActivityIntervals
}

/**
 * Starts the real engine in this process on a test's database and folder, with its models in child processes as usual. A test that kills an
 * engine or needs two of them starts a separate process (`startEngineProcess`): an engine with this process's id counts as dead when
 * another one starts here.
 */
export async function startTestEngine({ connection, dataDir, env, activity }: TestEngineOptions): Promise<TestEngine> {
  const lines: Record<string, unknown>[] = []
  const closed = new AbortController()
  // pino writes objects.
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const hooks = createOutageHooks({ database: () => ({ connection }), log: () => log, closed: closed.signal })
  const { log }: ProcessLog = createProcessLog({ service: 'engine', level: 'info', hooks, destination: { write } })
  const config = readConfig({ DATA_DIR: dataDir, ENGINE_THREADS: '1', ...env })
  const engine = await startEngine({
    config,
    connection,
    log,
    intervals: { ...intervals, ...(activity && { activity }) },
  })
  let stopping: Promise<void> | undefined
  async function stop() {
    closed.abort()
    await engine.stop()
  }
  return { lines, stop: () => (stopping ??= stop()) }
}
