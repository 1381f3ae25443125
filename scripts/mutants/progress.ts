// The reports of the worker that runs tests: one line per event in a file, which survives when the worker is killed.
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'

export type ProgressEvent =
  /** The folders of the changed files, by the number of the change. */
  | { event: 'start'; folders: string[] }
  /** Tests of the file begin. */
  | { event: 'file'; file: string }
  /** The change is switched on, and the test begins. */
  | { event: 'try'; id: number; test: string }
  /** The test has noticed the change: it failed with it, and passed again without it. */
  | { event: 'killed'; id: number; test: string }
  /** The test has not noticed it. */
  | { event: 'passed'; id: number }
  /** Changed code ran outside a test: while a module was loaded, or in a hook for all tests of a file. */
  | { event: 'outside'; ids: number[]; file: string }
  /** The test fails without any change, so it decides nothing. */
  | { event: 'unusable'; test: string }
  /** The test failed with the first of these changes, and then without it too: repeating it is of no use for any of them. */
  | { event: 'doubtful'; ids: number[]; test: string; file: string }

/** Environment variable with the path of the file, for the workers. */
export const progressVariable = 'AWAZ_MUTANTS_PROGRESS'

export function writeProgress(path: string, event: ProgressEvent) {
  appendFileSync(path, `${JSON.stringify(event)}\n`)
}

export function readProgress(path: string): ProgressEvent[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as ProgressEvent) // written by writeProgress
}

/** Returns how long ago the last event was. */
export function silenceMs(path: string): number {
  return existsSync(path) ? Date.now() - statSync(path).mtimeMs : 0
}
