import { beatEveryMs } from './protocol.ts'
import type { ChildAbort, ChildMessage, ChildMethods, ChildRequest, EmitEvent } from './protocol.ts'

/**
 * Serves `methods` to the process that started this one with startNativeChild. A method gets its parameters, a function that
 * sends an event to the caller and a signal; what it returns or resolves to is the answer. A child outlives its parent by nothing: when the parent goes, however it went, this process
 * kills itself, native threads included.
 */
export function serveChild(methods: ChildMethods): void {
  // A terminal's Ctrl-C reaches the whole process group; the parent alone decides what it means.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  const running = new Map<number, AbortController>()
  process.on('message', (received) => {
    const message = received as ChildRequest | ChildAbort // only startNativeChild writes to this channel
    if (message.kind === 'abort') return running.get(message.id)?.abort()
    const controller = new AbortController()
    running.set(message.id, controller)
    void answer(methods, message, controller.signal).finally(() => running.delete(message.id))
  })
}

async function answer(methods: ChildMethods, { id, method, params }: ChildRequest, signal: AbortSignal): Promise<void> {
  const beat = setInterval(() => send({ kind: 'beat', cpuMs: cpuMs() }), beatEveryMs)
  try {
    const run = methods[method] as ((params: unknown, emit: EmitEvent, signal: AbortSignal) => unknown) | undefined // called with what the typed caller gave
    if (!run) throw new Error(`The child has no method ${method}`)
    const value = await run(params, (event) => send({ kind: 'event', id, value: event }), signal)
    send({ kind: 'result', id, value, cpuMs: cpuMs() })
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    send({ kind: 'failure', id, message, stack, cpuMs: cpuMs() })
  } finally {
    clearInterval(beat)
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function send(message: ChildMessage): void {
  // Once the parent is gone nobody is left to tell.
  if (process.connected) process.send?.(message)
}
