import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { currentTimeMs } from '../clock.ts'
import { CommandError } from '../errors.ts'
import type { Engine, Reply, Work } from '../engine.ts'
import { GroupLostError } from '../group.ts'
import { createFramer, formatReply, parseRequest, type Request } from './wire.ts'

/** The time allowed for the last replies to reach clients when the server closes. */
const closeTimeoutMs = 500

/** The interval at which the server checks that the socket file still exists for new clients. */
const socketCheckIntervalMs = 1000

/** A group is closed after this time at the latest, so that its first replies do not wait for many slow commands. */
const groupMs = 20

export interface Server {
  close(): Promise<void>
}

/** Work and the recipient of its reply. */
interface Task {
  work: Work
  answer(reply: Reply): void
}

interface ServerOptions {
  engine: Engine
  socketPath: string
  /** How often expired documents are removed; default 60 seconds, as in MongoDB. */
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
    const connectionId = ++connections
    attach(socket, (request) => group.add(commandTask(engine, { socket, connectionId, request })), onError)
  })
  await listen(server, socketPath)
  const keeper = setInterval(() => void keepSocket(server, socketPath).catch(onError), socketCheckIntervalMs)
  checkFile(engine, group, onError)
  const stopSweeping = sweepRegularly(engine, { group, sweepIntervalMs, onError })
  return {
    async close() {
      stopSweeping()
      clearInterval(keeper)
      const closed = new Promise((resolve) => server.close(resolve))
      group.finish()
      for (const socket of sockets) socket.destroySoon()
      const impatience = setTimeout(() => sockets.forEach((socket) => socket.destroy()), closeTimeoutMs)
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
 * Recreates the socket file after a cleanup of temporary files has removed it: open connections continue without it, but new ones are
 * impossible.
 */
async function keepSocket(server: NetServer, socketPath: string): Promise<void> {
  const isThere = await stat(socketPath).then(
    () => true,
    () => false,
  )
  if (isThere || !server.listening) return
  server.close() // only stops listening; what is connected stays
  await mkdir(dirname(socketPath), { recursive: true, mode: 0o700 })
  await listen(server, socketPath)
}

/** A socket file without a listener is left over from a killed process; one with a listener belongs to another process. */
async function removeStaleSocket(socketPath: string): Promise<void> {
  const isInUse = await new Promise<boolean>((resolve) => {
    const probe = connect(socketPath, () => resolve(true))
    probe.on('error', () => resolve(false))
    probe.on('connect', () => probe.destroy())
  })
  if (isInUse) throw new Error(`the socket ${socketPath} is in use by another process`)
  await rm(socketPath, { force: true })
}

function attach(socket: Socket, enqueue: (request: Request) => void, onError: (error: unknown) => void) {
  const framer = createFramer()
  socket.setNoDelay(true)
  // A client may disconnect at any time; acknowledged changes are kept.
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of framer.push(chunk)) enqueue(parseRequest(message))
    } catch (error) {
      onError(error)
      socket.destroy()
    }
  })
}

function commandTask(
  engine: Engine,
  { socket, connectionId, request }: { socket: Socket; connectionId: number; request: Request },
): Task {
  const { refusal } = request
  return {
    work: refusal
      ? { isExclusive: false, advance: () => refusal.toReply() }
      : engine.start(request.command, connectionId, request.sizeBytes),
    answer(reply) {
      const bytes = formatOrRefuse(request, reply)
      if (request.wantsReply && socket.writable) socket.write(bytes)
    },
  }
}

function formatOrRefuse(request: Request, reply: Reply): Buffer {
  try {
    return formatReply(request, reply)
  } catch (error) {
    const failure =
      error instanceof CommandError
        ? error
        : new CommandError('InternalError', `the reply could not be written: ${String(error)}`)
    return formatReply(request, failure.toReply())
  }
}

interface GroupCommit {
  add(task: Task): void
  /** Replies to received commands and accepts no more. */
  finish(): void
}

/**
 * Group commit: all commands that have arrived share one transaction, and their replies are sent when it is durable. One
 * sync to disk then serves every waiting client. A long command runs in slices, one per group, so that others do not wait for it.
 */
function createGroupCommit(engine: Engine, onError: (error: unknown) => void): GroupCommit {
  const waiting: Task[] = []
  /** Long commands, longest suspended first. */
  let resting: Task[] = []
  let isScheduled = false
  let isFinished = false

  function schedule(): void {
    if (isScheduled || isFinished || waiting.length + resting.length === 0) return
    isScheduled = true
    setImmediate(runScheduled)
  }

  function runScheduled(): void {
    isScheduled = false
    if (!isFinished) runGroup()
    schedule()
  }

  function runGroup(): void {
    const endMs = performance.now() + groupMs
    const done: [Task, Reply][] = []
    const inGroup: Task[] = []
    const advance = (task: Task, untilMs: number) => {
      inGroup.push(task)
      const reply = task.work.advance(untilMs)
      if (reply) done.push([task, reply])
      else resting.push(task)
    }
    try {
      for (let task = waiting.shift(); task; task = performance.now() < endMs ? waiting.shift() : undefined) {
        if (task.work.isExclusive) for (const other of resting.splice(0)) advance(other, Number.POSITIVE_INFINITY)
        advance(task, performance.now() + groupMs)
      }
      const longest = resting.shift()
      if (longest) advance(longest, performance.now() + groupMs)
      engine.commit()
    } catch (error) {
      if (!(error instanceof GroupLostError)) throw error
      onError(error)
      // The commands of this group lost their work; whatever earlier groups committed is kept.
      resting = resting.filter((task) => !inGroup.includes(task))
      for (const task of inGroup) task.answer(error.reply.toReply())
      return
    }
    for (const [task, reply] of done) task.answer(reply)
  }

  return {
    add(task) {
      waiting.push(task)
      schedule()
    },
    finish() {
      isFinished = true
      while (waiting.length + resting.length > 0) runGroup()
    },
  }
}

/** Looks for damage in the data file and reports it. */
function checkFile(engine: Engine, group: GroupCommit, onError: (error: unknown) => void): void {
  group.add({
    work: engine.startFileCheck(),
    answer(reply) {
      if ('problem' in reply) onError(`the data file is damaged: ${String(reply.problem)}`)
    },
  })
}

/** Starts regular sweeps and returns a function that stops them. A sweep longer than the interval does not overlap with another. */
function sweepRegularly(
  engine: Engine,
  {
    group,
    sweepIntervalMs,
    onError,
  }: { group: GroupCommit; sweepIntervalMs: number; onError: (error: unknown) => void },
): () => void {
  let isSweeping = false
  const timer = setInterval(() => {
    if (isSweeping) return
    isSweeping = true
    group.add({
      work: engine.startSweep(currentTimeMs()),
      answer() {
        isSweeping = false
        try {
          engine.truncateLog()
        } catch (error) {
          onError(error) // on a full disk the log stays until there is room
        }
      },
    })
  }, sweepIntervalMs)
  return () => clearInterval(timer)
}
