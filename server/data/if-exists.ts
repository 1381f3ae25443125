/** Returns the result of `read`; undefined where there is no such file. Throws any other error: an unreadable file is not a missing one. */
export async function ifExists<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
