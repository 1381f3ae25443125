import { renewLease, type LeasedJob } from '#data/queue/lease.ts'
import type { Queue } from '#data/queue/queue.ts'

/**
 * Renews a job's lease every `renewMs` until the answered function is called. `onLost` is called once when the job is ours no more, and
 * also when the database was silent for a whole lease: by then somebody else may hold the job.
 */
export function keepLease(queue: Queue, job: LeasedJob, onLost: () => void): () => void {
  const { leaseMs, renewMs } = queue.limits
  let renewedAt = performance.now()
  let isRenewing = false

  async function renew() {
    if (isRenewing) return
    isRenewing = true
    const isHeld = await renewLease(queue, job).catch(() => undefined)
    isRenewing = false
    if (isHeld) renewedAt = performance.now()
    else if (isHeld === false) lose()
  }

  function lose() {
    clearInterval(timer)
    onLost()
  }

  const timer = setInterval(() => {
    if (performance.now() - renewedAt > leaseMs) lose()
    else void renew()
  }, renewMs)
  return () => clearInterval(timer)
}
