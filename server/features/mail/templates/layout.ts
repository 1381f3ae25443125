import { isolatesToHtml } from '#contract/isolated-name.ts'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { currentLanguage } from '#contract/texts/t.ts'
import { greetingFor, type MailRecipient } from './greeting.ts'

/** The content of a mail, which `layout` renders as text and HTML. Names in it are isolated (see isolateName). */
interface MailContent {
  subject: string
  greeting: string
  paragraphs: string[]
  /** Displayed large, to be read and typed. */
  code?: string
  link?: { label: string; url: string }
  closing: string
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** A mail that the mailer renders in its recipient's language. */
export interface MailTemplate {
  /** As stored for the user; English if missing or unknown. */
  language: string | undefined
  /** Renders in the current language of t(). */
  render: () => RenderedMail
}

const htmlEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEscapes[character] ?? character)
}

/** Creates the mail to a person. `compose` returns its content through t(), without the greeting. */
export function mailTo(addressee: MailRecipient, compose: () => Omit<MailContent, 'greeting'>): MailTemplate {
  return {
    language: addressee.language,
    render: () => layout({ greeting: greetingFor(addressee), ...compose() }),
  }
}

/** Renders a mail as text and HTML. Loads no external resources, so that mail programs on closed networks show it completely. */
function layout({ subject, greeting, paragraphs, code, link, closing }: MailContent): RenderedMail {
  const text = [greeting, ...paragraphs, code && `    ${code}`, link && `${link.label}:\n${link.url}`, closing, 'Awaz']
    .filter(Boolean)
    .join('\n\n')
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`
  const language = currentLanguage()
  // Repeated in the body, because some mail programs show only what is inside it.
  const direction = `lang="${language}" dir="${interfaceLanguages[language].direction}"`
  const html = [
    `<!doctype html><html ${direction}><body style="margin:0;padding:24px;background:#f4f4f5;color:#18181b;`,
    'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5">',
    `<div ${direction} style="max-width:480px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">`,
    ...[greeting, ...paragraphs].map((content) => paragraph(isolatesToHtml(escapeHtml(content)))),
    code && `<p style="margin:0 0 16px;font-size:28px;letter-spacing:6px;font-weight:700">${escapeHtml(code)}</p>`,
    link && paragraph(`<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`),
    paragraph(escapeHtml(closing)),
    '</div></body></html>',
  ]
    .filter(Boolean)
    .join('\n')
  return { subject, text: `${text}\n`, html }
}
