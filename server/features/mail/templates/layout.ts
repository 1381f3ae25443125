import { isolatesToHtml } from '#contract/isolated-name.ts'

/** The content of a mail, which `layout` renders as text and HTML. Names in it are isolated (see isolateName). */
export interface MailContent {
  subject: string
  greeting: string
  paragraphs: string[]
  /** Shown large, to be read and typed. */
  code?: string
  link?: { label: string; url: string }
  closing: string
}

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

const htmlEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEscapes[character] ?? character)
}

/** Renders a mail as text and HTML. Loads nothing, so that mail programs on closed networks show it completely. */
export function layout({ subject, greeting, paragraphs, code, link, closing }: MailContent): RenderedMail {
  const text = [greeting, ...paragraphs, code && `    ${code}`, link && `${link.label}:\n${link.url}`, closing, 'Awaz']
    .filter(Boolean)
    .join('\n\n')
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`
  const html = [
    '<!doctype html><html lang="en"><body style="margin:0;padding:24px;background:#f4f4f5;color:#18181b;',
    'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5">',
    '<div style="max-width:480px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">',
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
