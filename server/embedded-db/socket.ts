/** The maximum path length of a Unix socket on Linux (108 with the terminating zero). */
export const maxSocketPathBytes = 107

/** Returns the connection string of a database on this socket. @throws when the path is too long for a socket. */
export function socketUri(socketPath: string): string {
  const bytes = Buffer.byteLength(socketPath)
  if (bytes > maxSocketPathBytes) {
    throw new Error(
      `the socket path ${socketPath} has ${bytes} bytes, more than the ${maxSocketPathBytes} that a socket can have`,
    )
  }
  return `mongodb://${encodeURIComponent(socketPath)}/awaz?directConnection=true`
}
