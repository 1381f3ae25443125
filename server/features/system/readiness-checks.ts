import { join } from 'node:path'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import type { Services } from '#server/services.ts'
import { findDiskProblem } from '#data/disk-check.ts'
import type { CheckResult, ReadinessCheck } from './readiness.ts'

/** How long a mail server's answer holds: it may count connections that send nothing. */
const mailAnswerHoldsMs = 30_000

type Needed = Pick<Services, 'config' | 'database' | 'mailer' | 'outbox' | 'readiness' | 'work'>

/** What the server itself needs; `mountWork` adds the engine. */
export function addReadinessChecks({ config, database, mailer, outbox, readiness, work }: Needed): void {
  readiness.add('database', async () => {
    const facts = createSystemFactRepository(database.connection)
    // Written, not only reached: on a full disk a database still answers what it is asked.
    await facts.set('readiness', new Date().toISOString())
    return { ok: true, message: 'reachable and writable' }
  })
  readiness.add('data_folder', async () => toResult(await findDiskProblem(config.dataDir)))
  readiness.add('audio_store', async () => {
    const fault = await findDiskProblem(join(config.dataDir, 'audio', 'parts'))
    if (fault) return { ok: false, message: fault }
    const hasRoom = (await work.audioStore.freeBytes()) > 0
    return hasRoom ? toResult(undefined) : { ok: false, message: 'too little room is left: uploads are refused' }
  })
  readiness.add(
    'mail',
    hold(mailAnswerHoldsMs, async () => {
      if (!config.smtpUrl) return { ok: true, message: 'mails are kept in the outbox' }
      const [isThere, failing] = await Promise.all([mailer.verify(), outbox.countFailing()])
      const waiting = failing > 0 ? `; mails that wait to be tried again: ${failing}` : ''
      return { ok: isThere, message: `the mail server ${isThere ? 'answers' : 'does not answer'}${waiting}` }
    }),
  )
}

function toResult(fault: string | undefined): CheckResult {
  return { ok: fault === undefined, message: fault ?? 'writable' }
}

/** Answers with the last result while it is younger than `ms`. */
function hold(ms: number, check: ReadinessCheck): ReadinessCheck {
  let last: { at: number; result: Promise<CheckResult> } | undefined
  return () => {
    if (!last || performance.now() - last.at > ms) last = { at: performance.now(), result: check() }
    return last.result
  }
}
