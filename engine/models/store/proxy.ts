/** The environment variables that specify proxies, in upper or lower case. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/** Returns the proxy for an address from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, read as curl does; undefined for a direct connection. */
export function proxyFor(url: URL, env: ProxyEnvironment): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = env[name] || env[name.toUpperCase()]
  if (!proxy) return undefined
  const exceptions = (env.no_proxy || env.NO_PROXY || '').split(/[\s,]+/).filter((entry) => entry !== '')
  return exceptions.some((entry) => covers(entry.toLowerCase(), url)) ? undefined : proxy
}

/** Whether an entry of NO_PROXY (`*`, `host`, `.domain`, `host:port`) covers the address. */
function covers(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true
  const [, name = entry, wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  if (wantedPort !== undefined && wantedPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false
  const domain = name.replace(/^\*?\./, '')
  return hostname === domain || hostname.endsWith(`.${domain}`)
}
