/** A figure of a benchmark: where it stands in the output, its value, and whether more is better. */
export interface BenchFigure {
  /** The words of its line with every number replaced by `#`, then the place of the figure in the line. */
  label: string
  value: number
  isRate: boolean
}

/** A number with a comparable unit: a rate, a time or a size. */
const figurePattern = /(\d+(?:\.\d+)?)\s?(requests\/s|\/s|ms|MiB|kB)(?![a-z])/g
const numberPattern = /\d+(?:\.\d+)?/g

/**
 * Returns the figures in what a benchmark printed: numbers with the unit `/s`, `requests/s`, `ms`, `MiB` or `kB`, and the numeric
 * columns of tables whose heading names such a unit (`largestPaintMs`, `scriptBytes`).
 */
export function readFigures(output: string): BenchFigure[] {
  const lines = output.split('\n')
  return [...lines.flatMap((line) => (line.startsWith('│') ? [] : readLine(line))), ...readTable(lines)]
}

function readLine(line: string): BenchFigure[] {
  const words = line.replaceAll(numberPattern, '#').replaceAll(/\s+/g, ' ').trim()
  return [...line.matchAll(figurePattern)].map(([, value = '', unit = ''], index) => ({
    label: `${words.slice(0, 60)} [${index + 1}, ${unit}]`,
    value: Number(value),
    isRate: unit.endsWith('/s'),
  }))
}

function readTable(lines: readonly string[]): BenchFigure[] {
  const [head = [], ...rows] = lines.filter((line) => line.startsWith('│')).map(readCells)
  return rows.flatMap((row) =>
    head.flatMap((column, index) => {
      const value = Number(row[index])
      if (!/(?:Ms|Bytes)$/.test(column) || !Number.isFinite(value)) return []
      return [{ label: `${row[1] ?? ''} ${column}`, value, isRate: false }]
    }),
  )
}

function readCells(line: string): string[] {
  return line
    .split('│')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("'", ''))
}

/** What two versions of the code measured for one figure. */
export interface FigureComparison {
  label: string
  /** Medians. */
  before: number
  after: number
  /** Above 1 where the new code is worse, whichever direction is better for this figure. */
  ratio: number
  /** The largest such ratio between two runs of the old code; ratios up to it mean nothing. */
  noise: number
}

/** Compares runs of one benchmark, each a list of figures; leaves out figures that only one version printed. */
export function compareRuns(before: readonly BenchFigure[][], after: readonly BenchFigure[][]): FigureComparison[] {
  return (before[0] ?? []).flatMap(({ label, isRate }) => {
    const old = valuesOf(before, label)
    const current = valuesOf(after, label)
    // A figure that is rounded to 0 has no ratio.
    if (current.length === 0 || [...old, ...current].includes(0)) return []
    const [low, high] = [median(old), median(current)]
    return [
      {
        label,
        before: low,
        after: high,
        ratio: isRate ? low / high : high / low,
        noise: Math.max(...old) / Math.min(...old),
      },
    ]
  })
}

function valuesOf(runs: readonly BenchFigure[][], label: string): number[] {
  return runs.flatMap((run) => run.find((figure) => figure.label === label)?.value ?? [])
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
