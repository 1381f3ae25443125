export type Cells = Record<string, string | number>

export interface Report {
  heading(text: string): void
  /** Prints rows that start with their names. */
  table(rows: Record<string, Cells>): void
  line(text: string): void
  /** Reports whether a target is met; a missed one makes the benchmark exit with status 1. */
  verdict(text: string, isReached: boolean): void
}

/** Prints to stdout, with tables for the terminal or in Markdown. */
export function createReport({ isMarkdown }: { isMarkdown: boolean }): Report {
  return {
    heading: (text) => console.log(isMarkdown ? `\n### ${text}\n` : `\n${text}`),
    table: (rows) => (isMarkdown ? console.log(markdownTable(rows)) : console.table(rows)),
    line: (text) => console.log(isMarkdown ? `\n${text}` : text),
    verdict(text, isReached) {
      console.log(`${isMarkdown ? '- ' : ''}${isReached ? 'reached    ' : 'NOT REACHED'}  ${text}`)
      if (!isReached) process.exitCode = 1
    },
  }
}

function markdownTable(rows: Record<string, Cells>): string {
  const columns = [...new Set(Object.values(rows).flatMap((cells) => Object.keys(cells)))]
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...columns]),
    line(['', ...columns].map(() => '---')),
    ...Object.entries(rows).map(([name, cells]) => line([name, ...columns.map((column) => cells[column] ?? '')])),
    '',
  ].join('\n')
}

/** Formats a share as a percentage with one decimal. */
export function percent(share: number): string {
  return (share * 100).toFixed(1)
}

/** Median, 95th percentile and largest of absolute values, in whole milliseconds. */
export function spread(values: readonly number[]): { median: number; p95: number; max: number } {
  const sorted = values.map(Math.abs).toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0)
  return { median: at(0.5), p95: at(0.95), max: at(1) }
}
