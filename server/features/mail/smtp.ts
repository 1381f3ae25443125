import { createTransport, type SendMailOptions } from 'nodemailer'
import type { RenderedMail } from './templates/layout.ts'

export interface SmtpSettings {
  /** Undefined if no mail server is configured. */
  smtpUrl: string | undefined
  /** Certificates (PEM) of the mail server's own authority; they replace those that Node trusts by default. */
  smtpCa: string | undefined
  from: string
}

/** The outcome of connecting to the mail server: its certificate may be untrusted, or it may not answer. */
export type MailServerState = 'accepts' | 'refuses_login' | 'is_untrusted' | 'is_silent'

/** An unresponsive server must not hold up the mails that follow. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const maxReasonLength = 300

/** Creates the mail server client, if a server is configured. */
export function createSmtp({ smtpUrl, smtpCa, from }: SmtpSettings) {
  const options = { url: smtpUrl, ...timeouts, ...(smtpCa && { tls: { ca: smtpCa } }) }
  const transport = smtpUrl ? createTransport(options, { from }) : undefined

  async function trySend(mail: SendMailOptions): Promise<string | undefined> {
    if (!transport) return 'No mail server is set.'
    try {
      await transport.sendMail(mail)
      return undefined
    } catch (error) {
      return describe(error)
    }
  }

  /** Sends a message from `composeMessage`. Returns why it could not be sent; undefined if the server accepted it. */
  function trySendMessage(raw: Buffer, to: string): Promise<string | undefined> {
    return trySend({ raw, envelope: { from, to } })
  }

  /** Sends a mail. Returns why it could not be sent; undefined if the server accepted it. */
  function trySendMail({ to, subject, text, html }: RenderedMail & { to: string }): Promise<string | undefined> {
    return trySend({ to, subject, text, html })
  }

  /** Checks whether the server accepts our connection and login; returns `accepts` if no server is configured. */
  async function verify(): Promise<MailServerState> {
    if (!transport) return 'accepts'
    return transport.verify().then(() => 'accepts', stateAfter)
  }

  return { isConfigured: transport !== undefined, trySendMessage, trySendMail, verify, close: () => transport?.close() }
}

/** nodemailer's codes: the login failed, was required but not configured, or TLS failed. Codes about certificates come from Node. */
function stateAfter(error: unknown): MailServerState {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const text = describe(error)
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'refuses_login'
  return code === 'ETLS' || /certificate|self-signed/i.test(text) ? 'is_untrusted' : 'is_silent'
}

/** Returns what the server or the connection reported, on one line. nodemailer includes neither the mail nor credentials in it. */
function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\s+/g, ' ').slice(0, maxReasonLength)
}
