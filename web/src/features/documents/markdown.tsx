import type { ReactNode } from 'react'

/** Characters that browsers drop or treat as a slash when parsing an address, or that disguise an address. */
const disguise = /[\p{Cc}\p{Cf}\s\\]/u

/**
 * Returns the address if a document may link to it, otherwise undefined. Allowed are a path on this origin, `http(s)://host...` without a
 * user name (which could be mistaken for the host), and `mailto:`. `//host` looks like a path but means another host to a browser.
 */
function linkAddress(address: string): string | undefined {
  if (disguise.test(address)) return undefined
  if (address.startsWith('mailto:')) return address
  if (address.startsWith('/')) return isOwnPath(address) ? address : undefined
  const url = /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  return url && !url.username && !url.password ? address : undefined
}

function isOwnPath(path: string): boolean {
  const base = 'https://here.invalid'
  return !path.startsWith('//') && URL.canParse(path, base) && new URL(path, base).origin === base
}

/**
 * Renders the Markdown that an information page needs: headings, lists, paragraphs, bold, links. It creates elements, never HTML,
 * so an operator's text cannot contain a script.
 */
export function Markdown({ text }: { text: string }) {
  return text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/)
    .flatMap(splitHeading)
    .map((block, index) => <Block key={`${index}-${block.slice(0, 16)}`} block={block} />)
}

/** A heading may stand directly above its first paragraph. */
function splitHeading(block: string): string[] {
  const [first = '', ...rest] = block.split('\n')
  return /^#{1,3} /.test(first) && rest.length > 0 ? [first, rest.join('\n')] : [block]
}

function Block({ block }: { block: string }) {
  const heading = /^(#{1,3}) (.*)$/.exec(block)
  if (heading)
    return heading[1]?.length === 3 ? <h3>{inline(heading[2] ?? '')}</h3> : <h2>{inline(heading[2] ?? '')}</h2>
  const lines = block.split('\n')
  if (lines.every((line) => /^[-*] /.test(line))) {
    return (
      <ul>
        {lines.map((line) => (
          <li key={line}>{inline(line.slice(2))}</li>
        ))}
      </ul>
    )
  }
  return <p dir="auto">{inline(lines.join(' '))}</p>
}

const inlinePattern = /\*\*(.+?)\*\*|\[(.+?)\]\(([^\s)]+)\)/g

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of text.matchAll(inlinePattern)) {
    parts.push(text.slice(at, match.index))
    const [whole, bold, label, address = ''] = match
    parts.push(
      bold ? (
        <strong key={match.index}>{bold}</strong>
      ) : (
        <Link key={match.index} address={address} label={label} whole={whole} />
      ),
    )
    at = match.index + whole.length
  }
  parts.push(text.slice(at))
  return parts
}

/** A link; if its address is not allowed, the text stays as it was written. */
function Link({ address, label, whole }: { address: string; label: string | undefined; whole: string }) {
  const href = linkAddress(address)
  if (href === undefined) return whole
  return (
    <a href={href} rel="noreferrer">
      {label}
    </a>
  )
}
