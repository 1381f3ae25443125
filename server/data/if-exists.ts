/** Returns what `read` reads; undefined where there is no such file. Throws any other error: a file that cannot be read is not missing. */
export async function ifExists<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
