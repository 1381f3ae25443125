import { flushCompileCache } from 'node:module'
import { heartbeatIntervalMs } from './protocol.ts'
import type { ChildAbort, ChildMessage, ChildMethods, ChildRequest, EmitEvent } from './protocol.ts'

/**
 * Serves `methods` to the process that started this one with startNativeChild. A method gets its parameters, a function that sends
 * events to the caller, and a signal; its result is sent back. When the parent exits for any reason, this process kills itself,
 * native threads included.
 */
export function serveChild(methods: ChildMethods): void {
  // Ctrl-C in a terminal reaches the whole process group; only the parent handles it.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  const running = new Map<number, AbortController>()
  // Node.js otherwise saves compiled code when a process exits by itself, but this one gets killed.
  process.once('message', () => setImmediate(flushCompileCache))
  process.on('message', (received) => {
    const message = received as ChildRequest | ChildAbort // only startNativeChild writes to this channel
    if (message.kind === 'abort') return running.get(message.id)?.abort()
    const controller = new AbortController()
    running.set(message.id, controller)
    void runMethod(methods, message, controller.signal).finally(() => running.delete(message.id))
  })
}

async function runMethod(
  methods: ChildMethods,
  { id, method, params }: ChildRequest,
  signal: AbortSignal,
): Promise<void> {
  const heartbeat = setInterval(() => send({ kind: 'heartbeat', cpuMs: cpuMs() }), heartbeatIntervalMs)
  try {
    const run = methods[method] as ((params: unknown, emit: EmitEvent, signal: AbortSignal) => unknown) | undefined // the caller's types match the method
    if (!run) throw new Error(`The child has no method ${method}`)
    const value = await run(params, (event) => send({ kind: 'event', id, value: event }), signal)
    send({ kind: 'result', id, value, cpuMs: cpuMs() })
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    send({ kind: 'failure', id, message, stack, cpuMs: cpuMs() })
  } finally {
    clearInterval(heartbeat)
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function send(message: ChildMessage): void {
  // After the parent has exited, there is nobody to send to.
  if (process.connected) process.send?.(message)
}
