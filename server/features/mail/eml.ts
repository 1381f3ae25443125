import { randomBytes } from 'node:crypto'
import type { RenderedMail } from './templates/layout.ts'

interface Envelope {
  from: string
  to: string
  date: Date
}

const textHeader = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
const htmlHeader = 'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'

/**
 * A mail as the text of an .eml file (RFC 5322, RFC 2046), in 8bit so that a person with a text editor can follow its link:
 * quoted-printable would break it over lines.
 */
export function toEml({ subject, text, html }: RenderedMail, { from, to, date }: Envelope): string {
  const boundary = `=_${randomBytes(16).toString('hex')}`
  const header = [
    `From: ${oneLine(from)}`,
    `To: ${oneLine(to)}`,
    `Subject: ${oneLine(subject)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomBytes(16).toString('hex')}@awaz>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
  ].join('\r\n')
  const parts = [`${textHeader}${toCrlf(text)}`, `${htmlHeader}${toCrlf(html)}`]
  return `${header}\r\n\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
}

/** The text part of a mail that `toEml` wrote. */
export function textOfEml(eml: string): string {
  return partOfEml(eml, textHeader)
}

/** The HTML part of a mail that `toEml` wrote. */
export function htmlOfEml(eml: string): string {
  return partOfEml(eml, htmlHeader)
}

function partOfEml(eml: string, header: string): string {
  const boundary = /boundary="([^"]+)"/.exec(eml)?.[1] ?? ''
  const part = eml.split(`--${boundary}`).find((candidate) => candidate.includes(header)) ?? ''
  return part
    .slice(part.indexOf(header) + header.length)
    .replaceAll('\r\n', '\n')
    .trimEnd()
}

function oneLine(value: string): string {
  return value.replace(/[\r\n]+/g, ' ')
}

function toCrlf(value: string): string {
  return value.replace(/\r?\n/g, '\r\n')
}
