import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { parseInterfaceLanguage } from '#contract/texts/interface-languages.ts'
import { speak } from '#contract/texts/speak.ts'
import { retryWhileUnavailable } from '#data/retry-while-unavailable.ts'
import type { OutboxMailRecord } from '#data/outbox/outbox-mails.ts'
import type { InterfaceTexts } from '#server/http/interface-texts.ts'
import type { Mail, WrittenMail } from './mail.ts'
import type { Outbox } from './outbox.ts'
import { createSmtp, type MailServerState, type SmtpSettings } from './smtp.ts'

interface MailerDeps extends SmtpSettings {
  log: Logger
  outbox: Outbox
  texts: Pick<InterfaceTexts, 'textsOf'>
  /** Maximum random delay of tasks that start after a response. Default 2 s. */
  maxDelayMs?: number | undefined
  /** Called once per mail, at its first failed delivery. */
  onFailure: (mail: Pick<OutboxMailRecord, 'to' | 'purpose'>, reason: string) => Promise<void>
}

export interface Mailer {
  /**
   * Runs a task in the background and sends the mail that it returns, if any. The caller neither waits nor learns the outcome. With
   * `after`, such as `waitForResponse(ctx)`, the task starts up to `maxDelayMs` later, at random, so that response times do not reveal
   * whether a mail was sent.
   */
  enqueue(task: () => Promise<Mail | undefined>, after?: Promise<void>): void
  /** Stores a mail that the next `sendDue` delivers. For bulk mail, which is sent one by one. */
  store(mail: Mail): Promise<void>
  /** Delivers the mails of the outbox that are due, one after the other; a call while it runs joins it. */
  sendDue(): Promise<void>
  /** Delivers a mail of the outbox now. Returns why it could not be sent; undefined when it was. */
  sendNow(mail: OutboxMailRecord): Promise<string | undefined>
  /** Sends a mail without storing it, such as a test. Returns why it could not be sent; undefined when it was. */
  sendOnce(mail: Mail): Promise<string | undefined>
  /** Checks whether the mail server accepts our connection and login. Returns `accepts` if no mail server is configured. */
  verify(): Promise<MailServerState>
  /** Returns how many tasks have been enqueued, so that tests can check that two requests do the same work. */
  operations(): number
  /** Resolves when every task enqueued so far is done. */
  idle(): Promise<void>
  close(): Promise<void>
}

/**
 * Creates the mailer. If a mail server is configured, each mail stays in the outbox until the server has accepted it, so that no mail is
 * lost in an outage or restart. Otherwise it stays there to be delivered by hand.
 */
export function createMailer({
  log,
  outbox,
  texts,
  maxDelayMs = 2000,
  onFailure,
  ...smtpSettings
}: MailerDeps): Mailer {
  const smtp = createSmtp(smtpSettings)
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  let enqueued = 0

  async function sendNow(mail: OutboxMailRecord): Promise<string | undefined> {
    const message = await outbox.readMessage(mail)
    if (!message) {
      await outbox.leaveToOthers(mail)
      return 'This mail is not on this server.'
    }
    const reason = await smtp.trySendMessage(message, mail.to)
    if (reason === undefined) {
      // Retried, because an unreachable database must not cause the mail to be sent a second time.
      await retryWhileUnavailable(() => outbox.remove([mail]), stop.signal)
      return undefined
    }
    log.warn({ purpose: mail.purpose, attempts: mail.attempts + 1, reason }, 'mail not sent; it is tried again')
    if (mail.attempts === 0) await onFailure(mail, reason)
    await outbox.recordFailure(mail, reason)
    return reason
  }

  async function write({ language, render, ...delivery }: Mail): Promise<WrittenMail> {
    const spoken = await texts.textsOf(parseInterfaceLanguage(language) ?? 'en')
    return { ...delivery, ...speak(spoken, render) }
  }

  async function sendOrStore(mail: WrittenMail): Promise<void> {
    if (!smtp.isConfigured) return outbox.store(mail, stop.signal)
    await sendNow(await outbox.storeForDelivery(mail, stop.signal))
  }

  let delivery: Promise<void> | undefined
  function sendDue(): Promise<void> {
    delivery ??= deliverDue().finally(() => {
      delivery = undefined
    })
    return delivery
  }

  async function deliverDue(): Promise<void> {
    if (!smtp.isConfigured) return
    for (let mail = await outbox.claimDue(); mail && !stop.signal.aborted; mail = await outbox.claimDue()) {
      await sendNow(mail)
    }
  }

  /** Returns early when the mailer closes. */
  async function pause(delayMs: number): Promise<void> {
    if (delayMs > 0) await wait(delayMs, undefined, { signal: stop.signal }).catch(() => undefined)
  }

  async function run(task: () => Promise<Mail | undefined>, after: Promise<void> | undefined): Promise<void> {
    try {
      if (after) await after.then(() => pause(randomInt(maxDelayMs + 1)))
      const mail = await retryWhileUnavailable(task, stop.signal)
      if (mail) await sendOrStore(await write(mail))
    } catch (error) {
      log.error({ err: error }, 'mail could not be sent')
    }
  }

  return {
    enqueue(task, after) {
      enqueued += 1
      const job = run(task, after)
      running.add(job)
      void job.finally(() => running.delete(job))
    },
    async store(mail) {
      const written = await write(mail)
      await (smtp.isConfigured ? outbox.storeDue(written, stop.signal) : outbox.store(written, stop.signal))
    },
    sendDue,
    sendNow,
    sendOnce: async (mail) => smtp.trySendMail(await write(mail)),
    verify: () => smtp.verify(),
    operations: () => enqueued,
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
