// Runs MongoDB's published CRUD driver tests against the embedded database (or MONGODB_URI), through the official driver:
//   CRUD_SPECS=<folder of unified test files> node scripts/embedded-db/crud/main.ts
// The tests are licensed under CC BY-NC-SA and are not part of this project.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { SkipError } from './operations.ts'
import { runTest } from './run-test.ts'
import { isRunnable, readSpecFile, type SpecFile, type SpecTest } from './spec-file.ts'

/** Known reasons for failures, by their text. Any other failure is a fault of the engine, and the runner exits with an error. */
const knownReasons: readonly (readonly [RegExp, string])[] = [
  [/collation/, 'collations are refused: nothing here asks for one'],
  [/\$out|\$merge|\$documents|\$listLocalSessions/, 'an aggregation stage that nothing here sends is refused'],
  [/\$rand/, 'an expression that nothing here sends is refused'],
  [/viewOn/, 'views are refused'],
  [/event \d+\.bypassDocumentValidation: false is missing/, 'the Node.js driver leaves out an option that is false'],
  [/^create-null-ids\.json .*via (?:insert|bulk|client)/, 'the Node.js driver makes an _id where it is null'],
]

/** Returns the known reason for a failure. `failure` holds the file, the name of the test and the difference. */
function reasonFor(failure: string): string | undefined {
  return knownReasons.find(([pattern]) => pattern.test(failure))?.[1]
}

interface Tally {
  passed: number
  failed: string[]
  skipped: Map<string, number>
}

async function runFolder(folder: string, uri: string): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: [], skipped: new Map() }
  const admin = await new MongoClient(uri).connect()
  try {
    const { version } = await admin.db().admin().buildInfo()
    const numbers = String(version).split('.').map(Number)
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted()) {
      const file = await readSpecFile(join(folder, name))
      for (const test of file.tests ?? []) await runOne({ file, test, name }, uri, admin, numbers, tally)
    }
  } finally {
    await admin.close()
  }
  return tally
}

async function runOne(
  { file, test, name }: { file: SpecFile; test: SpecTest; name: string },
  uri: string,
  admin: MongoClient,
  version: number[],
  tally: Tally,
): Promise<void> {
  const skip = (reason: string) => tally.skipped.set(reason, (tally.skipped.get(reason) ?? 0) + 1)
  if (test.skipReason) return void skip('the test says so')
  if (!isRunnable(file.runOnRequirements, version) || !isRunnable(test.runOnRequirements, version)) {
    return void skip('for another version or topology')
  }
  if (test.operations.some(({ name: operation }) => operation === 'failPoint')) return void skip('needs a fail point')
  try {
    const failure = await runTest(file, test, uri, admin)
    if (failure) tally.failed.push(`${name} :: ${test.description}\n     ${failure}`)
    else tally.passed++
  } catch (error) {
    if (error instanceof SkipError) skip(error.message)
    else tally.failed.push(`${name} :: ${test.description}\n     ${String(error)}`)
  }
}

async function withDatabase(run: (uri: string) => Promise<Tally>): Promise<Tally> {
  if (process.env.MONGODB_URI) return run(process.env.MONGODB_URI)
  const folder = await makeRuntimeFolder()
  const database = await startEmbeddedDatabase({
    dataFile: join(folder, 'crud.sqlite'),
    socketPath: join(folder, 'db.sock'),
  })
  const died = database.exited.then((status): never => {
    throw new Error(`the embedded database ended with status ${status} in the middle of the tests`)
  })
  died.catch(() => undefined)
  try {
    return await Promise.race([run(database.uri), died])
  } finally {
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Prints each failure with its reason; one without a known reason counts as unexplained. */
function report({ passed, failed, skipped }: Tally): { unexplained: number } {
  let unexplained = 0
  for (const failure of failed) {
    const reason = reasonFor(failure)
    if (!reason) unexplained++
    console.log(`not passed: ${failure}\n     ${reason ? `reason: ${reason}` : 'UNEXPLAINED'}`)
  }
  for (const [reason, count] of skipped) console.log(`skipped ${count}: ${reason}`)
  console.log(`${passed} passed, ${failed.length} not passed (${unexplained} of them without a known reason)`)
  return { unexplained }
}

const minTests = 300

const folder = process.env.CRUD_SPECS
if (folder) {
  const tally = await withDatabase((uri) => runFolder(folder, uri))
  const { unexplained } = report(tally)
  process.exitCode = unexplained > 0 || tally.passed < minTests ? 1 : 0
} else {
  console.log('CRUD_SPECS is not set: nothing was run')
}
