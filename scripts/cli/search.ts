import type { DatabaseConnection } from '#data/connect.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { readSearchStatus } from '#data/search/rebuild.ts'
import { rebuildSearch } from '#engine/library/search/rebuild-search.ts'
import { withCliDatabase } from '../admin/database.ts'
import { withCommandName } from './command-name.ts'

const usage = `Usage: npm run awaz -- search COMMAND

  status     what the search index holds of each user
  rebuild    write the search index of all recordings anew; Awaz may run, and everything stays findable meanwhile

An interrupted rebuild goes on where it ended when it is started again.`

const commands: Record<string, (connection: DatabaseConnection) => Promise<void>> = { status, rebuild }

/** `awaz search status|rebuild`. */
export async function run(args: string[]): Promise<number> {
  const [name = '', ...others] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || others.length > 0) {
    console.log(withCommandName(usage))
    return args.length === 0 || args.includes('--help') ? 0 : 1
  }
  await withCliDatabase(command)
  return 0
}

async function status(connection: DatabaseConnection): Promise<void> {
  const owners = await readSearchStatus(connection)
  for (const { ownerId, recordings, segments, sizeBytes, garbage } of owners) {
    const size = `${(sizeBytes / 1e6).toFixed(1)} MB of words in ${segments} parts`
    console.log(`user ${ownerId}: ${recordings} recordings, ${size}, ${garbage} parts to be removed`)
  }
  console.log(`${owners.length} users have a search index.`)
}

async function rebuild(connection: DatabaseConnection): Promise<void> {
  await ensureIndexes(connection)
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const count = await rebuildSearch(openQueue(connection), {
    signal: stop.signal,
    onRecording: (done) => {
      if (done % 100 === 0) console.log(`  ${done} recordings`)
    },
  })
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  const end = stop.signal.aborted ? 'Stopped; start it again to go on.' : 'The search index is complete.'
  console.log(`Wrote ${count} recordings. ${end}`)
}
