import { relative } from 'node:path'
import type { Verdict } from './test-mutants.ts'

function onOneLine(text: string) {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 97)}...` : line
}

/** Returns the place of a change, the change, and the verdict. */
export function formatVerdict({ mutant, killedBy, isReached }: Verdict, root: string): string {
  const { path, line, before, after } = mutant
  const change = `${relative(root, path)}:${line}  ${onOneLine(before)}  →  ${onOneLine(after) || 'nothing'}`
  if (killedBy) return `${change}  (killed by ${onOneLine(killedBy)})`
  return isReached ? change : `${change}  (no test runs it)`
}

export function summarize(verdicts: Verdict[]): { line: string; percent: number } {
  const killed = verdicts.filter(({ killedBy }) => killedBy !== undefined).length
  const percent = verdicts.length === 0 ? 100 : Math.floor((100 * killed) / verdicts.length)
  return { line: `killed ${killed} of ${verdicts.length} (${percent}%)`, percent }
}
