import { Readable } from 'node:stream'
import type { HeavyTurns } from './heavy-turns.ts'

/** The number of rows read in one turn. */
const rowsPerTurn = 1_000

/** Returns CSV rows as a stream that reads at the pace of its client: a batch of rows at a time, each at the caller's turn. */
export function streamRows(rows: AsyncIterable<string>, { takeTurn, signal }: HeavyTurns): Readable {
  return Readable.from(readInTurns(rows, takeTurn), { signal })
}

async function* readInTurns(rows: AsyncIterable<string>, takeTurn: HeavyTurns['takeTurn']): AsyncGenerator<string> {
  const iterator = rows[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { text, isLast } = await takeTurn(() => readSome(iterator))
      if (text !== '') yield text
      if (isLast) return
    }
  } finally {
    await iterator.return?.()
  }
}

async function readSome(iterator: AsyncIterator<string>): Promise<{ text: string; isLast: boolean }> {
  const rows: string[] = []
  while (rows.length < rowsPerTurn) {
    const { value, done } = await iterator.next()
    if (done) return { text: rows.join(''), isLast: true }
    rows.push(value)
  }
  return { text: rows.join(''), isLast: false }
}
