/** The address a socket listens on or connects to, as accepted by net.connect and net.Server.listen. */
export type SocketAddress = { path: string } | { host: string; port: number }

/** Parses the path of a Unix socket, or HOST:PORT. Throws for anything else. */
export function parseSocketAddress(text: string): SocketAddress {
  if (text.startsWith('/')) return { path: text }
  const [, host, port] = /^\[?([^[\]]+?)\]?:(\d+)$/.exec(text) ?? []
  if (!host || !port) throw new Error(`${text} is neither HOST:PORT nor the path of a socket`)
  return { host, port: Number(port) }
}

/** Returns the hosts of a connection string that mean this machine, and so would mean another one inside a network namespace. */
export function loopbackHosts(uri: string): { host: string; port: number }[] {
  const list = /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(uri)?.[1] ?? ''
  return list.split(',').flatMap((each) => {
    const [, host = '', port = '27017'] = /^\[?([^[\]]+?)\]?(?::(\d+))?$/.exec(each) ?? []
    return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host) ? [{ host, port: Number(port) }] : []
  })
}
