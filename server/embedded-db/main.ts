// The embedded database process: main.ts --data <file.sqlite> --socket <path.sock>. See docs/embedded-database.md.
// For tests, AWAZ_DB_RECORD_DIR names a folder for recordings of the application's commands (recorder.ts), one file per process.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from './storage/database.ts'
import { createEngine } from './engine.ts'
import { openReserve } from './storage/reserve.ts'
import { serve } from './wire/server.ts'
import { socketUri } from './socket.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    socket: { type: 'string' },
    'sweep-interval-ms': { type: 'string', default: '60000' },
  },
})

const recordFolder = process.env.AWAZ_DB_RECORD_DIR
/** The interval of heartbeats to the parent process. */
const heartbeatIntervalMs = 1000
/** The time limit of a clean shutdown. Acknowledged writes are not lost when it is exceeded. */
const shutdownTimeoutMs = 3000

function log(error: unknown): void {
  console.error(error instanceof Error && error.cause ? `${error.message}: ${String(error.cause)}` : String(error))
}

/** Sends a message to the parent process if there is a channel. */
function notifyParent(message: 'alive' | 'ready'): void {
  if (process.connected) process.send?.(message, () => undefined) // it may have exited by now
}

/** Resolves on a signal to stop, or when the parent process is dead, even if it died before this process began listening. */
function waitUntilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const reason of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(reason, () => resolve())
    // Undefined if there never was a channel.
    if (process.connected === false) resolve()
  })
}

/** Opens the data file. Throws an Error with instructions if it is damaged. */
function openFile(dataFile: string): ReturnType<typeof openDatabase> {
  try {
    return openDatabase(dataFile)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (!/not a database|malformed/.test(reason)) throw error
    const advice = 'Keep a copy of the folder, and restore the newest backup (docs/backup.md).'
    throw new Error(`${dataFile} is damaged (${reason}). ${advice}`, { cause: error })
  }
}

async function main(dataFile: string, socketPath: string): Promise<void> {
  // From creation on, only this user can open the data file and the socket.
  process.umask(0o077)
  const stopped = waitUntilStopped()
  notifyParent('alive')
  setInterval(() => notifyParent('alive'), heartbeatIntervalMs).unref()
  const uri = socketUri(socketPath)
  const database = openFile(dataFile)
  const reserve = openReserve(dataFile)
  const isRecording = recordFolder !== undefined
  const engine = createEngine(database, { isRecording, reserve, onError: log })
  const sweepIntervalMs = Number(values['sweep-interval-ms'])
  const server = await serve({ engine, socketPath, sweepIntervalMs, onError: log })
  notifyParent('ready')
  console.log(JSON.stringify({ ready: true, uri, pid: process.pid }))
  await stopped
  setTimeout(() => process.exit(1), shutdownTimeoutMs).unref()
  if (recordFolder) writeFileSync(join(recordFolder, `${process.pid}.json`), JSON.stringify(engine.recording()))
  await server.close()
}

const { data, socket } = values
if (data && socket) {
  main(data, socket)
    .catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error))
      process.exitCode = 1
    })
    // Listening for `disconnect` keeps the process alive as long as the channel is open.
    .finally(() => process.connected && process.disconnect())
} else {
  console.error('usage: main.ts --data <file.sqlite> --socket <path.sock>')
  process.exitCode = 2
}
