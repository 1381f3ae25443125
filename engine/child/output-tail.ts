import type { Readable } from 'node:stream'

/** Keeps the last lines of what a process writes. */
export interface OutputTail {
  /** Reads `stream` into the tail until it ends. */
  follow(stream: Readable | null): void
  /** The last lines, oldest first. */
  text(): string
}

const longestLine = 2000

/**
 * @param maxLines how many lines are kept, 40 by default
 * @param onLine called with every complete line as it arrives
 */
export function keepTail({
  maxLines = 40,
  onLine,
}: { maxLines?: number; onLine?: (line: string) => void } = {}): OutputTail {
  const lines: string[] = []

  function add(line: string): void {
    if (line === '') return
    lines.push(line.slice(0, longestLine))
    if (lines.length > maxLines) lines.shift()
    onLine?.(line)
  }

  return {
    follow(stream) {
      let rest = ''
      stream?.setEncoding('utf8')
      stream?.on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n')
        rest = (parts.pop() ?? '').slice(0, longestLine)
        for (const part of parts) add(part.trimEnd())
      })
      stream?.on('end', () => add(rest))
    },
    text: () => lines.join('\n'),
  }
}
