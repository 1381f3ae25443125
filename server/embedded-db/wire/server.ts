import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { currentTimeMs } from '../clock.ts'
import { CommandError } from '../errors.ts'
import { GroupLostError, type Engine } from '../engine.ts'
import { createFramer, formatReply, parseRequest, type Request } from './wire.ts'

/** Time for the last replies to reach clients when the server closes. */
const CLOSE_MS = 500

/** How often we look whether the socket is still there for new clients. */
const SOCKET_CHECK_MS = 1000

/** A group is closed after this time at the latest, so that its first replies do not wait for many slow commands. */
const GROUP_MS = 20

export interface Server {
  close(): Promise<void>
}

interface Task {
  socket: Socket
  connectionId: number
  request: Request
}

interface ServerOptions {
  engine: Engine
  socketPath: string
  /** How often expired documents are removed. Default 60 seconds, as in MongoDB. */
  sweepIntervalMs?: number
  onError: (error: unknown) => void
}

/** Serves an engine on a Unix socket that only this user can open. @throws when the socket is in use. */
export async function serve({ engine, socketPath, sweepIntervalMs = 60_000, onError }: ServerOptions): Promise<Server> {
  await removeStaleSocket(socketPath)
  const sockets = new Set<Socket>()
  const group = createGroupCommit(engine, onError)
  let connections = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    attach(socket, ++connections, group.add, onError)
  })
  await listen(server, socketPath)
  const keeper = setInterval(() => void keepSocket(server, socketPath).catch(onError), SOCKET_CHECK_MS)
  const sweeper = setInterval(() => sweep(engine, onError), sweepIntervalMs)
  return {
    async close() {
      clearInterval(sweeper)
      clearInterval(keeper)
      const closed = new Promise((resolve) => server.close(resolve))
      group.finish()
      for (const socket of sockets) socket.destroySoon()
      const impatience = setTimeout(() => sockets.forEach((socket) => socket.destroy()), CLOSE_MS)
      await closed
      clearTimeout(impatience)
      engine.close()
    },
  }
}

async function listen(server: NetServer, socketPath: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(socketPath, () => {
      server.off('error', reject)
      resolve()
    })
  })
  await chmod(socketPath, 0o600)
}

/**
 * Makes the socket file again when somebody removed it, as a cleaner of temporary files does: connections that are open go on
 * without it, new ones cannot be made.
 */
async function keepSocket(server: NetServer, socketPath: string): Promise<void> {
  const isThere = await stat(socketPath).then(
    () => true,
    () => false,
  )
  if (isThere || !server.listening) return
  server.close() // stops listening alone; what is connected stays
  await mkdir(dirname(socketPath), { recursive: true, mode: 0o700 })
  await listen(server, socketPath)
}

/** A socket file without a listener is left over from a killed process; one with a listener is somebody else's. */
async function removeStaleSocket(socketPath: string): Promise<void> {
  const isInUse = await new Promise<boolean>((resolve) => {
    const probe = connect(socketPath, () => resolve(true))
    probe.on('error', () => resolve(false))
    probe.on('connect', () => probe.destroy())
  })
  if (isInUse) throw new Error(`the socket ${socketPath} is in use by another process`)
  await rm(socketPath, { force: true })
}

function attach(
  socket: Socket,
  connectionId: number,
  enqueue: (task: Task) => void,
  onError: (error: unknown) => void,
) {
  const framer = createFramer()
  socket.setNoDelay(true)
  // A client that goes away is its own business; what it was answered stays.
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of framer.push(chunk)) enqueue({ socket, connectionId, request: parseRequest(message) })
    } catch (error) {
      onError(error)
      socket.destroy()
    }
  })
}

interface GroupCommit {
  add(task: Task): void
  /** Answers what has arrived and takes nothing more. */
  finish(): void
}

/**
 * Group commit: all commands that have arrived share one transaction, and their replies are sent when it is durable. One
 * sync to the disk then serves every waiting client.
 */
function createGroupCommit(engine: Engine, onError: (error: unknown) => void): GroupCommit {
  const waiting: Task[] = []
  let isScheduled = false
  let isFinished = false

  function schedule(): void {
    if (isScheduled || isFinished || waiting.length === 0) return
    isScheduled = true
    setImmediate(runScheduled)
  }

  function runScheduled(): void {
    isScheduled = false
    if (!isFinished) runGroup()
    schedule()
  }

  function runGroup(): void {
    const endMs = performance.now() + GROUP_MS
    const group: Task[] = []
    const replies: Buffer[] = []
    let failure: CommandError | undefined
    try {
      for (let task = waiting.shift(); task; task = performance.now() < endMs ? waiting.shift() : undefined) {
        group.push(task)
        replies.push(reply(engine, task))
      }
      engine.commit()
    } catch (error) {
      if (!(error instanceof GroupLostError)) throw error
      failure = error.reply
      onError(error)
    }
    for (const [index, { socket, request }] of group.entries()) {
      const bytes = failure ? formatReply(request, failure.toReply()) : replies[index]
      if (bytes && request.wantsReply && socket.writable) socket.write(bytes)
    }
  }

  return {
    add(task) {
      waiting.push(task)
      schedule()
    },
    finish() {
      isFinished = true
      while (waiting.length > 0) runGroup()
    },
  }
}

function reply(engine: Engine, { request, connectionId }: Task): Buffer {
  const answer = engine.run(request.command, connectionId)
  try {
    return formatReply(request, answer)
  } catch (error) {
    return formatReply(
      request,
      new CommandError('InternalError', `the reply could not be written: ${String(error)}`).toReply(),
    )
  }
}

function sweep(engine: Engine, onError: (error: unknown) => void): void {
  try {
    engine.sweep(currentTimeMs())
  } catch (error) {
    onError(error)
  }
}
