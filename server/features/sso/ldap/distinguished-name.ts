/** One `type=value` of a distinguished name, both in lower case; the value is unescaped. */
interface NamePart {
  type: string
  value: string
}

/**
 * Returns the parts of a distinguished name (RFC 4514), most specific first; a relative name with several values contributes them one after
 * another. Undefined if it is not a distinguished name.
 */
function parseName(name: string): NamePart[] | undefined {
  const parts: NamePart[] = []
  for (const text of splitUnescaped(name)) {
    const [, type = '', value = ''] = /^\s*([a-z][\w.-]*|[\d.]+)\s*=(.*)$/is.exec(text) ?? []
    if (type === '') return undefined
    parts.push({ type: type.toLowerCase(), value: unescapeValue(value).toLowerCase() })
  }
  return parts
}

/** Splits at the separators `,` `;` and `+` between parts, unless they are preceded by a backslash. */
function splitUnescaped(name: string): string[] {
  return [...name.matchAll(/(?:\\.|[^\\,;+])+/gs)].map(([part]) => part)
}

/** Removes the spaces around a value, and its escapes: `\,` or UTF-8 bytes in hexadecimal, `\C3\A4`. */
function unescapeValue(value: string): string {
  const trimmed = value.replace(/^\s+/, '').replace(/(?<!\\)\s+$/, '')
  return trimmed.replace(/(?:\\[0-9a-f]{2})+|\\(.)/gis, (escaped: string, sign: string | undefined) =>
    sign === undefined ? Buffer.from(escaped.replaceAll('\\', ''), 'hex').toString('utf8') : sign,
  )
}

/** Returns whether a group in a setting, written as a distinguished name or as a common name in any case, is this group. */
export function isGroup(written: string, groupDn: string): boolean {
  const group = parseName(groupDn)
  if (!group) return written.toLowerCase() === groupDn.toLowerCase()
  const wanted = written.includes('=') ? parseName(written) : undefined
  if (wanted && isSameName(wanted, group)) return true
  return group[0]?.type === 'cn' && group[0].value === written.trim().toLowerCase()
}

function isSameName(one: NamePart[], other: NamePart[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ type, value }, at) => type === other[at]?.type && value === other[at].value)
  )
}
