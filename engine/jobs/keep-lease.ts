import { isLeaseHeld, renewLease, type LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** How often a running job is looked at between renewals: a cancelled one stops within two seconds. */
const lookMs = 1000

/**
 * Renews a job's lease every `renewMs` until the answered function is called. `onLost` is called once when the job is ours no more, and
 * also when the database was silent for a whole lease: by then somebody else may hold the job.
 */
export function keepLease(queue: Queue, job: LeasedJob, onLost: () => void): () => void {
  const { leaseMs, renewMs } = queue.limits
  let renewedAt = performance.now()
  let isRenewing = false
  let isStopped = false

  async function renew() {
    if (isRenewing) return
    isRenewing = true
    const isHeld = await renewLease(queue, job).catch(() => undefined)
    isRenewing = false
    if (isHeld) renewedAt = performance.now()
    else if (isHeld === false) lose()
  }

  async function look() {
    const isHeld = await isLeaseHeld(queue, job).catch(() => undefined)
    if (isHeld === false) lose()
  }

  function stop() {
    isStopped = true
    clearInterval(timer)
    clearInterval(looking)
  }

  function lose() {
    if (isStopped) return
    stop()
    onLost()
  }

  const timer = setInterval(() => {
    if (performance.now() - renewedAt > leaseMs) lose()
    else void renew()
  }, renewMs)
  const looking = setInterval(() => void look(), lookMs)
  return stop
}
