import { stat } from 'node:fs/promises'

/** Returns a text that differs where one of the files, which may be missing, was written, replaced, made or removed. Reads none of them. */
export async function readFileState(paths: readonly string[]): Promise<string> {
  const states = paths.map(async (path) => {
    const { size, mtimeMs, ctimeMs, ino } = (await stat(path).catch(() => undefined)) ?? {}
    return [path, size, mtimeMs, ctimeMs, ino].join(' ')
  })
  return (await Promise.all(states)).join('\n')
}
