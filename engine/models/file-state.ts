import { stat } from 'node:fs/promises'

/** Returns a string that changes when one of the files is written, replaced, created or removed. Files may be missing; none is read. */
export async function readFileState(paths: readonly string[]): Promise<string> {
  const states = paths.map(async (path) => {
    const { size, mtimeMs, ctimeMs, ino } = (await stat(path).catch(() => undefined)) ?? {}
    return [path, size, mtimeMs, ctimeMs, ino].join(' ')
  })
  return (await Promise.all(states)).join('\n')
}
