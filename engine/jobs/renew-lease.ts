import { isLeaseHeld, renewLease, type LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** Interval at which a running job is checked between renewals: a cancelled one stops within two seconds. */
const checkIntervalMs = 1000

/**
 * Renews a job's lease every `renewMs` until the returned function is called. Calls `onLost` once when the lease is lost. While the database
 * cannot be reached, no one knows: the job goes on, and each of its writes depends on the lease.
 */
export function renewPeriodically(queue: Queue, job: LeasedJob, onLost: () => void): () => void {
  let isRenewing = false
  let isChecking = false
  let isStopped = false

  async function renew() {
    if (isRenewing) return
    isRenewing = true
    const isHeld = await renewLease(queue, job).catch(() => undefined)
    isRenewing = false
    if (isHeld === false) lose()
  }

  async function check() {
    if (isChecking) return
    isChecking = true
    const isHeld = await isLeaseHeld(queue, job).catch(() => undefined)
    isChecking = false
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

  const renewTimer = setInterval(() => void renew(), queue.limits.renewMs)
  const checkTimer = setInterval(() => void check(), checkIntervalMs)
  return stop
}
