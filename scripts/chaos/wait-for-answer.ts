import { setTimeout as wait } from 'node:timers/promises'

const pauseMs = 500
/** Longer than an election plus the restart of a server killed during it: before that, nothing can be called lost. */
const answeredWithinMs = 30_000

interface WaitOptions {
  /** Default 30 s. */
  limitMs?: number
  /** Pause between two calls. Default 500 ms. */
  pauseMs?: number
}

/** Repeats a call while it gets no answer or a 5xx. Returns the first other answer, or the last one when time is up. */
export async function waitForAnswer<Answer extends { status: number }>(
  call: () => Promise<Answer>,
  options: WaitOptions = {},
): Promise<Answer> {
  const endMs = performance.now() + (options.limitMs ?? answeredWithinMs)
  for (;;) {
    const answer = await call()
    if ((answer.status !== 0 && answer.status < 500) || performance.now() > endMs) return answer
    await wait(options.pauseMs ?? pauseMs)
  }
}
