import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Outbox } from './outbox.ts'
import type { RenderedMail } from './templates/layout.ts'

/** How long a notice stays in the outbox. */
export const noticeLifetimeMs = 7 * 24 * 60 * 60_000

export interface Mail extends RenderedMail {
  to: string
  userId: string
  purpose: 'verification' | 'password_reset' | 'notice'
  expiresAt: Date
}

interface MailerDeps {
  log: Logger
  outbox: Outbox
  /** Unset: mails go to the outbox. */
  smtpUrl: string | undefined
  from: string
  /** Of tasks that begin after an answer. Default 2 s. */
  maxDelayMs?: number | undefined
  /** Pauses before each new try. Default 1 s, 10 s, 60 s. */
  retryDelaysMs?: number[]
}

export interface Mailer {
  /**
   * Runs a task behind the request and sends the mail it makes, if it makes one. The request neither waits nor learns the outcome;
   * given `after`, such as `untilAnswered(ctx)`, the task begins then, at a random moment within `maxDelayMs`, so that neither this answer
   * nor the next takes longer where there is a mail.
   */
  enqueue(task: () => Promise<Mail | undefined>, after?: Promise<void>): void
  /** Sends one mail now. Throws when the mail server refuses. */
  send(mail: Mail): Promise<void>
  /** Whether the mail server takes our connection and sign-in. True where mails go to the outbox. */
  verify(): Promise<boolean>
  /** Tasks taken so far, for tests of equal work. */
  operations(): number
  /** Resolves when every task taken so far is done. */
  idle(): Promise<void>
  close(): Promise<void>
}

export function createMailer({
  log,
  outbox,
  smtpUrl,
  from,
  maxDelayMs = 2000,
  retryDelaysMs = [1000, 10_000, 60_000],
}: MailerDeps): Mailer {
  const transport = smtpUrl ? createTransport(smtpUrl, { from }) : undefined
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  let taken = 0

  async function send(mail: Mail): Promise<void> {
    if (!transport) return outbox.keep(mail)
    await transport.sendMail({ to: mail.to, subject: mail.subject, text: mail.text, html: mail.html })
  }

  /** Ends early when the server does. */
  async function pause(delayMs: number): Promise<void> {
    if (delayMs > 0) await wait(delayMs, undefined, { signal: stop.signal }).catch(() => undefined)
  }

  async function sendWithRetries(mail: Mail): Promise<void> {
    for (const delayMs of [...retryDelaysMs, undefined]) {
      try {
        return await send(mail)
      } catch (error) {
        if (delayMs === undefined || stop.signal.aborted) throw error
        log.warn({ err: error, purpose: mail.purpose }, 'mail not sent; trying again')
        await pause(delayMs)
      }
    }
  }

  async function run(task: () => Promise<Mail | undefined>, after: Promise<void> | undefined): Promise<void> {
    try {
      if (after) await after.then(() => pause(randomInt(maxDelayMs + 1)))
      const mail = await task()
      if (mail) await sendWithRetries(mail)
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
    send,
    verify: async () => {
      if (!transport) return true
      return transport.verify().then(
        () => true,
        () => false,
      )
    },
    operations: () => taken,
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
    async close() {
      stop.abort()
      await Promise.all(running)
      transport?.close()
    },
  }
}
