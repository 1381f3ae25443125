import { describeRecording } from '#data/audit/recording-events.ts'
import { countOf, type Finding, type Severity } from './finding.ts'
import { needsAction } from './run-checks.ts'
import { withCommandName } from '../cli/command-name.ts'

interface RenderOptions {
  checks: readonly string[]
  isVerbose: boolean
}

const labels: Record<Severity, string> = { problem: 'PROBLEM', warning: 'WARNING', note: 'NOTE' }
const order: Severity[] = ['problem', 'warning', 'note']

/** Returns the output of `awaz doctor`: the worst findings first; a single line if nothing needs action. */
export function renderFindings(found: readonly Finding[], { checks, isVerbose }: RenderOptions): string {
  const shown = found.filter((finding) => isVerbose || finding.severity !== 'note')
  const sorted = shown.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  const list = isVerbose ? [`Checked: ${checks.join(', ')}.`] : []
  return [...list, ...sorted.map(renderFinding), summarize(found, checks.length)].join('\n\n')
}

function renderFinding({ code, severity, what, why, remedy, fixed, recordings = [] }: Finding): string {
  const named = recordings.map(({ id, name, ...origin }) => {
    return `${id}: ${name}, ${describeRecording({ createdAt: origin.uploadedAt }, origin.owner)}`
  })
  const lines = [`${fixed === undefined ? labels[severity] : 'FIXED'}  ${code}`, what, ...named, why]
  return [...lines, fixed === undefined ? `-> ${withCommandName(remedy)}` : `-> ${fixed}`].join('\n  ')
}

function summarize(found: readonly Finding[], checks: number): string {
  const left = found.filter(needsAction)
  const fixed = found.filter((finding) => finding.fixed !== undefined).length
  const made = `(${countOf(checks, 'check')})`
  const mended = fixed === 0 ? '' : ` ${fixed} fixed.`
  if (left.length === 0) return `No problems found ${made}.${mended}`
  const counts = (['problem', 'warning'] as const).map((severity) =>
    countOf(left.filter((finding) => finding.severity === severity).length, severity),
  )
  return `${counts.join(', ')} ${made}.${mended}`
}
