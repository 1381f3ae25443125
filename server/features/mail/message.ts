import { createTransport } from 'nodemailer'
import type { RenderedMail } from './templates/layout.ts'

interface MessageHeader {
  from: string
  to: string
  date: Date
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/**
 * Composes the message (RFC 5322) that is stored as an .eml file and sent unchanged, with the same Message-ID at every attempt. It is
 * 7-bit, because not every mail server offers 8BITMIME. This breaks links across lines; the .txt file next to it has them unbroken.
 */
export async function composeMessage({ subject, text, html }: RenderedMail, header: MessageHeader): Promise<Buffer> {
  const { message } = await composer.sendMail({ ...header, subject, text, html })
  if (!Buffer.isBuffer(message)) throw new TypeError('A message is composed into a buffer')
  return message
}
