/** Where a socket listens or connects to, as net.connect and net.Server.listen take it. */
export type SocketAddress = { path: string } | { host: string; port: number }

/** Reads the path of a Unix socket, or HOST:PORT. Throws for anything else. */
export function parseSocketAddress(text: string): SocketAddress {
  if (text.startsWith('/')) return { path: text }
  const [, host, port] = /^\[?([^[\]]+?)\]?:(\d+)$/.exec(text) ?? []
  if (!host || !port) throw new Error(`${text} is neither HOST:PORT nor the path of a socket`)
  return { host, port: Number(port) }
}

/** Returns the hosts of a connection string that are this machine itself, and so another one in a network namespace. */
export function loopbackHosts(uri: string): { host: string; port: number }[] {
  const list = /^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(uri)?.[1] ?? ''
  return list.split(',').flatMap((each) => {
    const [, host = '', port = '27017'] = /^\[?([^[\]]+?)\]?(?::(\d+))?$/.exec(each) ?? []
    return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host) ? [{ host, port: Number(port) }] : []
  })
}
