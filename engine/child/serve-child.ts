import { beatEveryMs } from './protocol.ts'
import type { ChildMessage, ChildMethods, ChildRequest, EmitEvent } from './protocol.ts'

/**
 * Serves `methods` to the process that started this one with startNativeChild. A method gets its parameters and a function that
 * sends an event to the caller; what it returns or resolves to is the answer. A child outlives its parent by nothing: when the
 * parent goes, however it went, this process kills itself, native threads included.
 */
export function serveChild(methods: ChildMethods): void {
  // A terminal's Ctrl-C reaches the whole process group; the parent alone decides what it means.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.on('message', (message) => {
    // Only startNativeChild writes to this channel.
    void answer(methods, message as ChildRequest)
  })
}

async function answer(methods: ChildMethods, { id, method, params }: ChildRequest): Promise<void> {
  const beat = setInterval(() => send({ kind: 'beat', cpuMs: cpuMs() }), beatEveryMs)
  try {
    const run = methods[method] as ((params: unknown, emit: EmitEvent) => unknown) | undefined // called with what the typed caller gave
    if (!run) throw new Error(`The child has no method ${method}`)
    const value = await run(params, (event) => send({ kind: 'event', id, value: event }))
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
