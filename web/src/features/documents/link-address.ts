/** Characters that browsers drop or read as a slash when they parse an address, or that disguise an address. */
const disguise = /[\p{Cc}\p{Cf}\s\\]/u

/**
 * Returns the address if a link of a document may have it, else undefined: a path of this origin, `http(s)://host...` without a user name, which is
 * there to be mistaken for the host, or `mailto:`. `//host` is a path to a reader and another host to a browser.
 */
export function linkAddress(address: string): string | undefined {
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
