import { createTransport } from 'nodemailer'
import type { RenderedMail } from './templates/layout.ts'

export interface SmtpSettings {
  /** Unset: there is no mail server. */
  smtpUrl: string | undefined
  /** Certificates (PEM) of the mail server's own authority; they take the place of those that Node trusts. */
  smtpCa: string | undefined
  from: string
}

/** A server that does not answer must not hold up the mails behind it. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
const maxReasonLength = 300

/** The mail server, if one is set. */
export function createSmtp({ smtpUrl, smtpCa, from }: SmtpSettings) {
  const options = { url: smtpUrl, ...timeouts, ...(smtpCa && { tls: { ca: smtpCa } }) }
  const transport = smtpUrl ? createTransport(options, { from }) : undefined

  /** Returns why the mail could not be sent; undefined when the server took it. */
  async function trySend({ to, subject, text, html }: RenderedMail & { to: string }): Promise<string | undefined> {
    if (!transport) return 'No mail server is set.'
    try {
      await transport.sendMail({ to, subject, text, html })
      return undefined
    } catch (error) {
      return describe(error)
    }
  }

  async function verify(): Promise<boolean> {
    if (!transport) return true
    return transport.verify().then(
      () => true,
      () => false,
    )
  }

  return { isConfigured: transport !== undefined, trySend, verify, close: () => transport?.close() }
}

/** What the mail server or the connection said, on one line. Never the mail, nor the credentials: nodemailer puts neither in. */
function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\s+/g, ' ').slice(0, maxReasonLength)
}
