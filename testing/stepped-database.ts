import { createServer, connect, type Socket } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase } from '#data/connect.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { socketUri } from '#server/embedded-db/socket.ts'
import { createFramer, formatReply, parseRequest, type Request } from '#server/embedded-db/wire/wire.ts'
import type { TestDatabase } from './database.ts'

/** The driver's own commands. */
const ownCommands = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions'])

/** A connection to a test's embedded database that can run something else before any given command, or fail that command. */
export interface SteppedDatabase {
  queue: Queue
  /**
   * Runs `work`, which uses this connection, and runs `between` before command `number` of it, counted from 1, is forwarded. Returns
   * whether `work` sent that many commands.
   */
  runWith(number: number, work: () => Promise<unknown>, between: () => Promise<unknown>): Promise<boolean>
  /**
   * Runs `work`; its command `number`, counted from 1, is answered with an error of this code and not forwarded. Returns whether `work`
   * sent that many commands.
   */
  runFailing(number: number, work: () => Promise<unknown>, code: number): Promise<boolean>
  close(): Promise<void>
}

/** What happens at one command of `work`. */
interface Step {
  /** How many more commands until then, that command included. */
  left: number
  /** Returns the bytes that answer the command, or undefined to forward it. */
  run: (request: Request) => Promise<Buffer | undefined>
  failure?: unknown
}

/**
 * Opens a stepped connection: a real one through a relay that holds back the bytes of a command. `work` pauses at that await, as if the
 * system had stopped its process, while `between` runs from beginning to end on another connection.
 */
export async function openSteppedDatabase({ uri, dbName }: TestDatabase): Promise<SteppedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-step-'))
  const socketPath = join(folder, 'db.sock')
  let armed: Step | undefined

  /** Resolves with undefined when a message may be forwarded, or with the bytes that answer it instead. */
  async function hold(message: Buffer): Promise<Buffer | undefined> {
    const request = parseRequest(message)
    const [name = ''] = Object.keys(request.command)
    if (!armed || ownCommands.has(name)) return undefined
    armed.left -= 1
    if (armed.left !== 0) return undefined
    return armed.run(request).catch((error: unknown) => {
      if (armed) armed.failure = error
      return undefined
    })
  }

  async function runStep(step: Step, work: () => Promise<unknown>): Promise<boolean> {
    armed = step
    try {
      await work()
    } finally {
      armed = undefined
    }
    if (step.failure) throw step.failure
    return step.left <= 0
  }

  const sockets = new Set<Socket>()
  const relay = createServer((client) => {
    const target = connect(decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(uri)?.[1] ?? ''))
    const framer = createFramer()
    let sent = Promise.resolve()
    client.on('data', (chunk: Buffer) => {
      for (const message of framer.push(chunk)) {
        sent = sent
          .then(() => hold(message))
          .then((reply) => void (reply ? client.write(reply) : target.write(message)))
      }
    })
    target.pipe(client)
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket)
      socket.on('close', () => other.destroy())
      socket.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => relay.listen(socketPath, resolve))
  const database = await connectDatabase({ mongodbUri: socketUri(socketPath) }, { dbName })

  return {
    queue: openQueue(database.connection),
    runWith(number, work, between) {
      const run = () => between().then(() => undefined)
      return runStep({ left: number, run }, work)
    },
    runFailing(number, work, code) {
      const run = async (request: Request) => formatReply(request, { ok: 0, errmsg: 'It fails in this test', code })
      return runStep({ left: number, run }, work)
    },
    async close() {
      await database.close()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => relay.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
