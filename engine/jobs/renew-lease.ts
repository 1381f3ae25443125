import { isLeaseHeld, renewLease, type LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** Interval at which a running job is checked between renewals: a cancelled one stops within two seconds. */
const checkIntervalMs = 1000

/**
 * Renews a job's lease every `renewMs` until the returned function is called. Calls `onLost` once when the lease is lost, and also when
 * the database was unreachable for a whole lease: by then another engine may hold the job.
 */
export function renewPeriodically(queue: Queue, job: LeasedJob, onLost: () => void): () => void {
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

  async function check() {
    const isHeld = await isLeaseHeld(queue, job).catch(() => undefined)
    if (isHeld === false) lose()
  }

  function stop() {
    isStopped = true
    clearInterval(renewTimer)
    clearInterval(checkTimer)
  }

  function lose() {
    if (isStopped) return
    stop()
    onLost()
  }

  const renewTimer = setInterval(() => {
    if (performance.now() - renewedAt > leaseMs) lose()
    else void renew()
  }, renewMs)
  const checkTimer = setInterval(() => void check(), checkIntervalMs)
  return stop
}
