import { setImmediate } from 'node:timers/promises'

/** Interval at which a long computation lets the rest of the process run. */
const sliceMs = 15

/**
 * Creates a function for a long computation to call repeatedly: it returns a promise to await when it is time to let others run, and
 * undefined otherwise.
 */
export function createTimeSlices(): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + sliceMs
  async function serveOthers(): Promise<void> {
    await setImmediate()
    sliceEnd = performance.now() + sliceMs
  }
  return () => (performance.now() < sliceEnd ? undefined : serveOthers())
}
