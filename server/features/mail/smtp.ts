import { createTransport, type SendMailOptions } from 'nodemailer'
import type { RenderedMail } from './templates/layout.ts'

export interface SmtpSettings {
  /** Undefined when no mail server is set. */
  smtpUrl: string | undefined
  /** Certificates (PEM) of the mail server's own authority; they replace those that Node trusts. */
  smtpCa: string | undefined
  from: string
}

/** What the mail server makes of a connection: its certificate may not be trusted, or it does not answer. */
export type MailServerState = 'accepts' | 'refuses_login' | 'is_untrusted' | 'is_silent'

/** An unresponsive server must not hold up the mails that follow. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const maxReasonLength = 300

/** Creates the client of the mail server, if one is set. */
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

  /** Sends a message of `composeMessage`. Returns why it could not be sent; undefined when the server accepted it. */
  function trySendMessage(raw: Buffer, to: string): Promise<string | undefined> {
    return trySend({ raw, envelope: { from, to } })
  }

  /** Sends a mail. Returns why it could not be sent; undefined when the server accepted it. */
  function trySendMail({ to, subject, text, html }: RenderedMail & { to: string }): Promise<string | undefined> {
    return trySend({ to, subject, text, html })
  }

  /** Asks the server whether it accepts our connection and login; it does when no server is set. */
  async function verify(): Promise<MailServerState> {
    if (!transport) return 'accepts'
    return transport.verify().then(() => 'accepts', stateAfter)
  }

  return { isConfigured: transport !== undefined, trySendMessage, trySendMail, verify, close: () => transport?.close() }
}

/** Codes of nodemailer: the login failed, was asked for without one, or TLS failed. A certificate's own codes come from Node. */
function stateAfter(error: unknown): MailServerState {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const text = describe(error)
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'refuses_login'
  return code === 'ETLS' || /certificate|self-signed/i.test(text) ? 'is_untrusted' : 'is_silent'
}

/** Returns what the server or the connection reported, on one line. nodemailer puts neither the mail nor credentials in it. */
function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\s+/g, ' ').slice(0, maxReasonLength)
}
