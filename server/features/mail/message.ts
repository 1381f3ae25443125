import { createTransport } from 'nodemailer'
import type { RenderedMail } from './templates/layout.ts'

interface MessageHeader {
  from: string
  to: string
  date: Date
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/**
 * Composes the message (RFC 5322) that is stored as an .eml file and sent as it is, at every attempt with the same Message-ID. It is
 * 7-bit, because not every mail server offers 8BITMIME. That breaks links over lines; the .txt file beside it has them whole.
 */
export async function composeMessage({ subject, text, html }: RenderedMail, header: MessageHeader): Promise<Buffer> {
  const { message } = await composer.sendMail({ ...header, subject, text, html })
  if (!Buffer.isBuffer(message)) throw new TypeError('A message is composed into a buffer')
  return message
}
