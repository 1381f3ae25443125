import { setTimeout as wait } from 'node:timers/promises'

const pauseMs = 500
/** Longer than an election and the restart of a server that was killed in it: until then no one knows whether something is lost. */
const answeredWithinMs = 30_000

interface WaitOptions {
  /** Default 30 s. */
  limitMs?: number
  /** Between two calls. Default 500 ms. */
  pauseMs?: number
}

/** Repeats a call that no one answers, or that is answered with 5xx, and returns the first other answer, or the last one. */
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
