import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { Binary } from 'bson'
import type { Document } from '#server/embedded-db/bson/values.ts'
import { createFramer, formatReply, parseRequest, type Request } from '#server/embedded-db/wire/wire.ts'
import { createAuthenticator, type RequiredCredentials } from './authentication.ts'
import { describeCommand, isOwnCommand, type FaultPlan } from './faults.ts'
import { commandName, formatRequest, parseReply, responseToOf } from './messages.ts'
import { describeMember, errorReply, notPrimaryReply, type ReplicaSetState } from './set-state.ts'

interface MemberOptions {
  index: number
  state: ReplicaSetState
  /** Socket of the database that executes the commands. */
  upstreamPath: string
  faults: FaultPlan
  /** Default: plain connections. */
  tls?: TlsOptions | undefined
  /** Default: everybody. */
  requiredUser?: RequiredCredentials | undefined
  onCommand: (command: Document) => void
}

export interface ReplicaSetMember {
  address: string
  /** Closes all connections, as a dying process does. */
  disconnect(): void
  close(): Promise<void>
}

/** Starts one member, which listens on its own port and executes commands in the database behind it. */
export async function startMember(options: MemberOptions): Promise<ReplicaSetMember> {
  const { index, state } = options
  const sockets = new Set<Socket>()
  const onClient = (client: Socket) => {
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
    client.on('error', () => client.destroy())
    if (state.members[index] === 'refusing') client.destroy()
    else serveClient(client, options)
  }
  const server = options.tls ? createTlsServer(options.tls, onClient) : createServer(onClient)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const disconnect = () => sockets.forEach((socket) => socket.destroy())
  return {
    address: `127.0.0.1:${portOf(server)}`,
    disconnect,
    async close() {
      disconnect()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

function serveClient(client: Socket, options: MemberOptions): void {
  const { index, state, faults, onCommand } = options
  const upstream = openUpstream(options.upstreamPath, () => client.destroy())
  const framer = createFramer()
  const authenticate = createAuthenticator(options.requiredUser, client)
  client.setNoDelay(true)
  client.on('close', () => upstream.close())
  client.on('data', (chunk: Buffer) => {
    try {
      for (const message of framer.push(chunk)) void handle(message, parseRequest(message))
    } catch {
      client.destroy() // like a real server: the client began with TLS, which is off here
    }
  })

  const isHanging = () => state.members[index] === 'hanging'

  async function handle(message: Buffer, request: Request): Promise<void> {
    if (isHanging()) return
    const { command } = request
    const name = commandName(command)
    if (['hello', 'ismaster', 'isMaster'].includes(name)) {
      const hello = parseReply(await upstream.send(request, message)).reply
      const mechanisms = 'saslSupportedMechs' in command && { saslSupportedMechs: ['SCRAM-SHA-256'] }
      return write(request, { ...describeMember(state, index, hello), ...mechanisms })
    }
    const refusal = authenticate(command)
    if (refusal) return write(request, refusal)
    if (/^buildinfo$/i.test(name) && state.kind !== 'embedded') return write(request, claimedBuild(state))
    if (!isOwnCommand(name)) onCommand(command)
    const isForPrimary = name !== 'endSessions' && !isForAnyMember(command)
    if (state.kind === 'set' && state.primary !== index && isForPrimary) return write(request, notPrimaryReply(command))
    const fault = isOwnCommand(name) ? undefined : faults.take(describeCommand(command))
    if (fault === 'hang') return
    if (fault === 'drop') return void client.destroy()
    if (typeof fault === 'object') return write(request, errorReply(command, fault.code, 'It fails in this test'))
    const reply = await carryOut(request, message)
    if (fault === 'lose_reply' || state.members[index] === 'refusing') return void client.destroy()
    if (!isHanging()) client.write(reply)
  }

  function write(request: Request, reply: Document): void {
    if (!isHanging()) client.write(formatReply(request, reply))
  }

  /** Executes a retryable write only once; its retry gets the reply to the first attempt. */
  async function carryOut(request: Request, message: Buffer): Promise<Buffer> {
    const { txnNumber, ...command } = request.command
    if (txnNumber === undefined || state.kind !== 'set') return upstream.send(request, message)
    const key = `${sessionOf(request.command)}:${String(txnNumber)}`
    const known = state.retryableWrites.get(key)
    if (known) return formatReply(request, await known)
    const replied = upstream.send(request, formatRequest(request, command))
    state.retryableWrites.set(
      key,
      replied.then((bytes) => parseReply(bytes).reply),
    )
    return replied
  }
}

function sessionOf({ lsid }: Document): string {
  const id = typeof lsid === 'object' && lsid !== null && 'id' in lsid ? lsid.id : undefined
  return id instanceof Binary ? Buffer.from(id.buffer).toString('hex') : ''
}

/** A real secondary accepts every read preference except `primary`; here `nearest` is enough. */
function isForAnyMember({ $readPreference: preference }: Document): boolean {
  return typeof preference === 'object' && preference !== null && 'mode' in preference && preference.mode === 'nearest'
}

function claimedBuild({ claimed }: ReplicaSetState): Document {
  return { version: claimed.version, versionArray: [...claimed.version.split('.').map(Number), 0], ok: 1 }
}

/** Opens a connection to the database; replies are matched to requests by number. */
function openUpstream(path: string, onClose: () => void) {
  const socket = connect(path)
  const framer = createFramer()
  let isClosing = false
  const waiting = new Map<number, (reply: Buffer) => void>()
  socket.on('error', () => socket.destroy())
  socket.on('close', onClose)
  socket.on('data', (chunk: Buffer) => {
    for (const message of framer.push(chunk)) {
      waiting.get(responseToOf(message))?.(message)
      waiting.delete(responseToOf(message))
      if (isClosing && waiting.size === 0) socket.destroy()
    }
  })
  return {
    /** Never resolves if the database closes the connection first. */
    send(request: Request, message: Buffer): Promise<Buffer> {
      const { promise, resolve } = Promise.withResolvers<Buffer>()
      if (request.wantsReply) waiting.set(request.id, resolve)
      socket.write(message)
      return promise
    },
    /** Closes the connection once all replies have arrived: commands already sent are executed even if their sender has left. */
    close() {
      isClosing = true
      if (waiting.size === 0) socket.destroy()
    },
  }
}
