import { setImmediate } from 'node:timers/promises'

/** Interval at which a long computation lets the rest of the process run. */
const sliceMs = 15

/**
 * Creates what a long computation calls again and again: it returns a promise to wait for when others have to be served, and undefined
 * otherwise.
 */
export function createTimeSlices(): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + sliceMs
  async function serveOthers(): Promise<void> {
    await setImmediate()
    sliceEnd = performance.now() + sliceMs
  }
  return () => (performance.now() < sliceEnd ? undefined : serveOthers())
}
