// Shows with strace that the embedded database syncs its log to the disk before it acknowledges a write:
//   node scripts/embedded-db/sync-before-reply.ts
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { MongoClient } from 'mongodb'
import { makeRuntimeFolder } from '#server/embedded-db/launch.ts'

const insertCount = 20
const insertMark = 'traced-'

/** Starts main.ts under strace. Returns the connection string and a function that ends both. */
async function startTraced(folder: string, traceFile: string) {
  const main = join(import.meta.dirname, '../../server/embedded-db/main.ts')
  const trace = [
    '-f',
    '-y',
    '-s',
    '400',
    '-e',
    'trace=fsync,fdatasync,read,readv,recvfrom,write,writev,sendto,sendmsg',
    '-o',
    traceFile,
  ]
  const target = [process.execPath, main, '--data', join(folder, 'traced.sqlite'), '--socket', join(folder, 'db.sock')]
  const child = spawn('strace', [...trace, ...target], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child, 'spawn')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { uri, pid }: { uri: string; pid: number } = JSON.parse(String(line))
  async function stop(): Promise<void> {
    process.kill(pid, 'SIGTERM')
    await once(child, 'exit')
  }
  return { uri, stop }
}

/** Counts marked inserts with and without a sync between the request's arrival and the next write to its socket. */
function countSynced(trace: string): { synced: number; unsynced: number } {
  const tally = { synced: 0, unsynced: 0 }
  let isWaiting = false
  let isSynced = false
  for (const line of trace.split('\n')) {
    const isSocket = /^\d+ +(?:\w+)\(\d+<(?:socket|UNIX)/.test(line)
    if (isSocket && /^\d+ +(?:read|readv|recvfrom)/.test(line) && line.includes(insertMark)) {
      isWaiting = true
      isSynced = false
    } else if (/^\d+ +(?:fsync|fdatasync)\(\d+<[^>]*-wal>\)\s+= 0/.test(line)) {
      isSynced = true
    } else if (isWaiting && isSocket && /^\d+ +(?:write|writev|sendto|sendmsg)/.test(line)) {
      if (isSynced) tally.synced++
      else tally.unsynced++
      isWaiting = false
    }
  }
  return tally
}

const folder = await makeRuntimeFolder()
try {
  const traceFile = join(folder, 'trace')
  const traced = await startTraced(folder, traceFile)
  // There is one connection and no monitoring, so the next write to the socket is the acknowledgement.
  const client = await new MongoClient(traced.uri, { maxPoolSize: 1, heartbeatFrequencyMS: 600_000 }).connect()
  const collection = client.db().collection<{ _id: string }>('traced')
  await collection.insertOne({ _id: 'warm' })
  for (let i = 0; i < insertCount; i++) await collection.insertOne({ _id: `${insertMark}${i}` })
  await client.close()
  await traced.stop()
  const { synced, unsynced } = countSynced(await readFile(traceFile, 'utf8'))
  console.log(`${insertCount} inserts: ${synced} acknowledged after a sync of the log, ${unsynced} without`)
  process.exitCode = synced === insertCount && unsynced === 0 ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
