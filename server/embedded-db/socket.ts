/** A path of a Unix socket has room for this many bytes on Linux (108 with the closing zero). */
export const MAX_SOCKET_PATH_BYTES = 107

/** The connection string of a database on this socket. @throws when the path is too long for a socket. */
export function socketUri(socketPath: string): string {
  const bytes = Buffer.byteLength(socketPath)
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new Error(
      `the socket path ${socketPath} has ${bytes} bytes, more than the ${MAX_SOCKET_PATH_BYTES} that a socket can have`,
    )
  }
  return `mongodb://${encodeURIComponent(socketPath)}/awaz?directConnection=true`
}
