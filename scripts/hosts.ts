// npm run hosts -- [--minutes N] [--logs FOLDER] [--audio-store folder|gridfs]: runs two servers, two engines, a database and a proxy, each
// in its own network namespace, under load from eight simulated users, and kills each process once. Exits with 1 if anything was lost, with
// 2 if a requirement is missing.
import { readOptions } from './hosts/options.ts'
import { findMissing, findMissingDatabase, readCapabilities } from './hosts/requirements.ts'
import { runHosts } from './hosts/run.ts'

try {
  const options = readOptions(process.argv.slice(2))
  const missing = findMissing(readCapabilities()) ?? (await findMissingDatabase(process.env.MONGODB_URI))
  if (missing) {
    console.log(missing)
    process.exit(2)
  }
  const { cleanUp, isPassed } = runHosts(options)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      cleanUp()
      process.exit(130)
    })
  }
  process.exit((await isPassed) ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
