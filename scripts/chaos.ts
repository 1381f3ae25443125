// npm run chaos -- [--rounds N] [--seed S] [--only KIND]...: breaks the running product repeatedly under load from several
// users and checks the work that it has acknowledged. Exits with 1 when anything was lost, doubled or unended: docs/decisions/chaos.md.
// npm run chaos -- --mongod PATH: uses a replica set of three as the database, and faults of its members.
// Exits with 2 if a requirement is missing.
// npm run chaos -- --backups N: makes backups instead, kills a process during each, and restores all that were reported as finished.
import { runBackupChaos } from './chaos/backups.ts'
import { readOptions } from './chaos/options.ts'
import { findMissingForSet } from './chaos/replica-set/requirements.ts'
import { runChaos } from './chaos/run.ts'

try {
  const { backups, ...options } = readOptions(process.argv.slice(2))
  const missing = options.mongod === undefined ? undefined : findMissingForSet(options.mongod)
  if (missing) {
    console.log(missing)
    process.exit(2)
  }
  const { running, isPassed } = backups === undefined ? runChaos(options) : runBackupChaos({ ...options, backups })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      running.cleanUp()
      process.exit(130)
    })
  }
  process.exit((await isPassed) ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
