import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { OutboxDoc } from '#data/accounts/record-models.ts'
import type { Outbox } from './outbox.ts'
import { createSmtp, type SmtpSettings } from './smtp.ts'
import type { RenderedMail } from './templates/layout.ts'

/** How long a notice stays in the outbox. */
export const noticeLifetimeMs = 7 * 24 * 60 * 60_000

export interface Mail extends RenderedMail {
  to: string
  userId: string
  purpose: 'verification' | 'password_reset' | 'notice' | 'test'
  expiresAt: Date
}

interface MailerDeps extends SmtpSettings {
  log: Logger
  outbox: Outbox
  /** Of tasks that begin after an answer. Default 2 s. */
  maxDelayMs?: number | undefined
  /** Told once a mail, at its first failure. */
  onFailure: (mail: Pick<OutboxDoc, 'to' | 'purpose'>, reason: string) => Promise<void>
}

export interface Mailer {
  /**
   * Runs a task behind the request and sends the mail it makes, if it makes one. The request neither waits nor learns the outcome;
   * given `after`, such as `untilAnswered(ctx)`, the task begins then, at a random moment within `maxDelayMs`, so that neither this answer
   * nor the next takes longer where there is a mail.
   */
  enqueue(task: () => Promise<Mail | undefined>, after?: Promise<void>): void
  /** Sends the mails whose next try is due. */
  sendDue(): Promise<void>
  /** Sends a mail of the outbox now. Returns why it could not be sent; undefined when it was. */
  sendNow(mail: OutboxDoc): Promise<string | undefined>
  /** Sends one mail that is kept nowhere, such as a test. Returns why it could not be sent; undefined when it was. */
  sendOnce(mail: Mail): Promise<string | undefined>
  /** Whether the mail server takes our connection and sign-in. True where mails go to the outbox. */
  verify(): Promise<boolean>
  /** Tasks taken so far, for tests of equal work. */
  operations(): number
  /** Resolves when every task taken so far is done. */
  idle(): Promise<void>
  close(): Promise<void>
}

/**
 * Sends mails. With a mail server each mail lies in the outbox until that server took it, so that neither an outage nor a restart
 * loses one; without, it stays there to be handed over by hand.
 */
export function createMailer({ log, outbox, smtpUrl, smtpCa, from, maxDelayMs = 2000, onFailure }: MailerDeps): Mailer {
  const smtp = createSmtp({ smtpUrl, smtpCa, from })
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  let taken = 0

  async function sendNow(mail: OutboxDoc): Promise<string | undefined> {
    const content = await outbox.contentOf(mail)
    if (!content) {
      await outbox.leaveToOthers(mail)
      return 'This mail is not on this server.'
    }
    const reason = await smtp.trySend({ ...content, to: mail.to })
    if (reason === undefined) {
      await outbox.remove([mail])
      return undefined
    }
    log.warn({ purpose: mail.purpose, attempts: mail.attempts + 1, reason }, 'mail not sent; it is tried again')
    if (mail.attempts === 0) await onFailure(mail, reason)
    await outbox.recordFailure(mail, reason)
    return reason
  }

  async function sendOrKeep(mail: Mail): Promise<void> {
    if (!smtp.isConfigured) return outbox.keep(mail)
    await sendNow(await outbox.keepUntilSent(mail))
  }

  async function sendDue(): Promise<void> {
    if (!smtp.isConfigured) return
    for (let mail = await outbox.claimDue(); mail && !stop.signal.aborted; mail = await outbox.claimDue()) {
      await sendNow(mail)
    }
  }

  /** Ends early when the server does. */
  async function pause(delayMs: number): Promise<void> {
    if (delayMs > 0) await wait(delayMs, undefined, { signal: stop.signal }).catch(() => undefined)
  }

  async function run(task: () => Promise<Mail | undefined>, after: Promise<void> | undefined): Promise<void> {
    try {
      if (after) await after.then(() => pause(randomInt(maxDelayMs + 1)))
      const mail = await task()
      if (mail) await sendOrKeep(mail)
    } catch (error) {
      log.error({ err: error }, 'mail could not be sent')
    }
  }

  return {
    enqueue(task, after) {
      taken += 1
      const job = run(task, after)
      running.add(job)
      void job.finally(() => running.delete(job))
    },
    sendDue,
    sendNow,
    sendOnce: (mail) => smtp.trySend(mail),
    verify: () => smtp.verify(),
    operations: () => taken,
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
    async close() {
      stop.abort()
      await Promise.all(running)
      smtp.close()
    },
  }
}
