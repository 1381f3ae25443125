import { createTransport } from 'nodemailer'
import type { RenderedMail } from './templates/layout.ts'

interface MessageHeader {
  from: string
  to: string
  date: Date
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/**
 * Composes the message (RFC 5322) that is stored as an .eml file and sent as it is. Both bodies are 8bit, because quoted-printable
 * breaks links over lines, and an operator without a mail server copies them out of the file.
 */
export async function composeMessage({ subject, text, html }: RenderedMail, header: MessageHeader): Promise<Buffer> {
  const alternatives = [{ raw: part('text/plain', text) }, { raw: part('text/html', html) }]
  const { message } = await composer.sendMail({ ...header, subject, alternatives })
  if (!Buffer.isBuffer(message)) throw new TypeError('A message is composed into a buffer')
  return message
}

function part(type: 'text/plain' | 'text/html', content: string): string {
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content}`
}
