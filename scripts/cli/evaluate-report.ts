import { styleText } from 'node:util'
import { countWins } from '#engine/evaluate/model-comparison.ts'
import type { ModelComparison, ComparedLine } from '#engine/evaluate/model-comparison.ts'
import { describeEvaluation } from '#engine/models/evaluations.ts'
import type { Evaluation, EvaluationMetrics } from '#engine/models/evaluations.ts'
import type { TranslationItemResult, SpeechResult } from '#engine/evaluate/metrics.ts'
import { formatPair } from '#engine/evaluate/run-evaluation.ts'
import type { WordDifference } from '#engine/evaluate/word-differences.ts'

/** The results of one model. */
export type RunReport = { evaluation: Evaluation; notes: string[] } & (
  { kind: 'speech'; results: SpeechResult[] } | { kind: 'translation'; results: TranslationItemResult[] }
)

/** Formats the metrics of a model, one language per line. */
export function formatEvaluation(evaluation: Evaluation): string {
  const { model, processor, threads, figures } = evaluation
  const lines = describeEvaluation(evaluation).map((line, index) => `  ${line}${costs(figures[index])}`)
  return [`${model}, at most ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${processor}`, ...lines].join('\n')
}

function costs(figure: EvaluationMetrics | undefined): string {
  if (!figure) return ''
  const memory = `${(figure.peakMemoryBytes / 1e6).toFixed(0)} MB of memory`
  if (figure.kind === 'speech' || figure.tokensPerSecond === null) return `; ${memory}`
  return `; ${figure.tokensPerSecond.toFixed(1)} tokens a second, ${memory}`
}

type Style = Parameters<typeof styleText>[0]

/** How differing words are marked: with a sign too, because not every terminal has colours. */
const marks: Record<Exclude<WordDifference['kind'], 'same'>, { style: Style; sign: string }> = {
  wrong: { style: ['yellow', 'bold'], sign: '*' },
  extra: { style: ['blue', 'bold'], sign: '+' },
  missing: { style: ['red', 'bold'], sign: '-' },
}

/** Formats the lines in which two models differ, with their differences marked word by word. */
export function formatComparison(comparison: ModelComparison, { stream }: { stream: NodeJS.WriteStream }): string {
  const paint = (style: Style, text: string) => styleText(style, text, { stream })
  const [a, b] = comparison.models
  const width = Math.max(a.length, b.length, 'reference'.length)
  const { first, second, even } = countWins(comparison)
  const lines = comparison.lines.filter(({ texts }) => texts[0].text !== texts[1].text)
  const legend = '*word substituted, +word inserted, -word deleted'
  const against = comparison.kind === 'speech' ? 'from the reference' : 'from the other model'
  const head = `${a} is better in ${first} lines, ${b} in ${second}, ${even} are even. Differences ${against}: ${legend}.`
  const blocks = lines.map((line) =>
    [
      paint('bold', line.name),
      ...(line.source === undefined ? [] : [`  ${'source'.padEnd(width)}  ${line.source}`]),
      `  ${'reference'.padEnd(width)}  ${line.reference}`,
      ...comparison.models.map(
        (model, index) => `  ${model.padEnd(width)}  ${describeText(line, index, comparison, paint)}`,
      ),
    ].join('\n'),
  )
  return ['', head, ...blocks].join('\n')
}

type Paint = (style: Style, text: string) => string

function describeText(line: ComparedLine, index: number, { kind }: ModelComparison, paint: Paint): string {
  const text = line.texts[index]
  if (!text) return ''
  const words = text.differences.map((difference) => {
    if (difference.kind === 'same') return difference.word
    const { style, sign } = marks[difference.kind]
    return paint(style, `${sign}${difference.word}`)
  })
  const score = `${text.score.toFixed(1)}${kind === 'speech' ? '%' : ''}`
  return `${words.join(' ') || '(nothing)'}  ${paint('dim', `${score}${line.winner === index ? ', better' : ''}`)}`
}

const columns = ['model', 'file', 'language', 'reference', 'text']

/** Formats every line of every model as tab-separated values with a header. */
export function formatLines(runs: readonly RunReport[]): string {
  const rows = runs.flatMap((run) => {
    const { model } = run.evaluation
    if (run.kind === 'speech') {
      return run.results.map(({ item, text }) => [model, item.name, item.language, item.text, text])
    }
    return run.results.map(({ item, text }) => [model, item.name, formatPair(item), item.reference, text])
  })
  return [columns, ...rows].map((cells) => `${cells.map(oneLine).join('\t')}\n`).join('')
}

function oneLine(cell: string): string {
  return cell.replaceAll(/\s+/gu, ' ').trim()
}
