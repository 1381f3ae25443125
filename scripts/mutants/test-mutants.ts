// Determines which changes a test suite notices.
import { rmSync } from 'node:fs'
import { basename, dirname, join, parse, relative } from 'node:path'
import type { TestSpecification } from 'vitest/node'
import { mutate } from './mutation-points.ts'
import { type ProgressEvent, progressVariable, readProgress, silenceMs, writeProgress } from './progress.ts'
import { addSwitches, type NumberedPoint } from './switches.ts'
import { TestSession } from './test-session.ts'

export interface Mutant extends NumberedPoint {
  path: string
  source: string
}

export interface Verdict {
  mutant: Mutant
  /** The test that noticed it; absent for a survivor. */
  killedBy?: string
  /** Whether any test reached it. */
  isReached: boolean
}

interface Options {
  projects: string[]
  /** Runs only test files whose path contains it. */
  tests?: string
  /** A file for the progress of the workers. */
  progressPath: string
  report: (line: string) => void
}

/** A test that exceeds the time limit of its project fails; a worker that reports nothing for longer than this is in a loop. */
const hangTimeoutMs = 150_000
/** How many test files are run, nearest first, with a change that is not part of a function. */
const maxFilesOfStaticChange = 6

/** Returns how many folders lie between a source and a test; 0 where the test is named after the source. */
function distance(source: string, test: string): number {
  if (basename(test).startsWith(`${parse(source).name}.test.`)) return 0
  return relative(dirname(source), test).split('/').length
}

function bySource(mutants: Mutant[]): Map<string, string> {
  return new Map(
    [...Map.groupBy(mutants, ({ path }) => path)].map(([path, own]) => [path, addSwitches(own[0]?.source ?? '', own)]),
  )
}

/** Runs the tests, each once per change that it reaches. A worker that hangs in a loop or runs out of memory ends; the rest continue. */
async function runSwitched(files: TestSpecification[], session: TestSession, mutants: Mutant[], options: Options) {
  let left = files
  while (left.length > 0) {
    const { progressPath } = options
    const isHanging = () => silenceMs(progressPath) > hangTimeoutMs
    const { isKilled } = await session.run(left, bySource(mutants), { isHanging })
    const events = readProgress(progressPath)
    const last = events.at(-1)
    if (!isKilled && last?.event !== 'try') return
    if (last?.event === 'try') {
      const test = `${last.test} (${isKilled ? 'time limit' : 'crash'})`
      writeProgress(progressPath, { event: 'killed', id: last.id, test })
    }
    const file = events.findLast(({ event }) => event === 'file')
    const from = left.findIndex(({ moduleId }) => file?.event === 'file' && moduleId === file.file)
    // A file that hangs without any change is left out.
    left = left.slice(last?.event === 'try' ? Math.max(from, 0) : from + 1)
  }
}

/** Runs tests in a separate run for each change that takes effect while modules are loaded, and for each doubtful one. */
async function runLoaded(mutants: Mutant[], session: TestSession, candidates: (mutant: Mutant) => TestSpecification[]) {
  const verdicts = new Map<Mutant, string>()
  for (const mutant of mutants) {
    const files = candidates(mutant)
    if (files.length === 0) continue
    const startedAt = Date.now()
    const isHanging = () => Date.now() - startedAt > files.length * hangTimeoutMs
    const sources = new Map([[mutant.path, mutate(mutant.source, mutant)]])
    const { failure, isKilled } = await session.run(files, sources, { bail: true, isHanging })
    if (failure || isKilled) verdicts.set(mutant, failure ?? 'time limit')
  }
  return verdicts
}

function nearestFirst(files: TestSpecification[], mutants: Mutant[]): TestSpecification[] {
  const paths = [...new Set(mutants.map(({ path }) => path))]
  const distanceOf = (file: TestSpecification) => Math.min(...paths.map((path) => distance(path, file.moduleId)))
  return files
    .map((file) => ({ file, distance: distanceOf(file) }))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ file }) => file)
}

/** Returns the test files that need a separate run with a change, by the number of the change. */
function filesOfUndecided(events: ProgressEvent[]): Map<number, Set<string>> {
  const files = new Map<number, Set<string>>()
  const add = (id: number, file: string) => files.set(id, (files.get(id) ?? new Set()).add(file))
  for (const event of events) {
    const isUndecided = event.event === 'doubtful' || event.event === 'outside'
    if (isUndecided) for (const id of event.ids) add(id, event.file)
  }
  return files
}

/** Returns the verdict of the tests on each of the changes, in their order. */
export async function testMutants(mutants: Mutant[], options: Options): Promise<Verdict[]> {
  rmSync(options.progressPath, { force: true })
  process.env[progressVariable] = options.progressPath
  writeProgress(options.progressPath, { event: 'start', folders: mutants.map(({ path }) => dirname(path)) })
  const switched = new TestSession()
  const isChosen = ({ moduleId }: TestSpecification) => moduleId.includes(options.tests ?? '')
  const all = (await switched.start(options.projects, join(import.meta.dirname, 'switching-runner.ts'))).filter(
    isChosen,
  )
  for (const project of options.projects) {
    const files = nearestFirst(
      all.filter((file) => file.project.name === project),
      mutants,
    )
    options.report(`${files.length} test files of ${project}`)
    await runSwitched(files, switched, mutants, options)
  }
  const events = readProgress(options.progressPath)
  const killers = new Map(events.flatMap((event) => (event.event === 'killed' ? [[event.id, event.test]] : [])))
  const tried = new Set(events.flatMap((event) => (event.event === 'passed' ? [event.id] : [])))
  const undecided = filesOfUndecided(events)
  for (const { test } of events.filter((event) => event.event === 'unusable')) {
    options.report(`decides nothing, because it fails without a change: ${test}`)
  }
  const reaching = (mutant: Mutant) => undecided.get(mutant.id) ?? switched.importersOf(mutant.path)
  const loaded = mutants.filter(({ id, body }) => !killers.has(id) && (!body || undecided.has(id)))
  const candidates = new Map(loaded.map((mutant) => [mutant, reaching(mutant)]))
  await switched.close()

  options.report(`${loaded.length} changes need a run of their own`)
  const session = new TestSession()
  const files = (await session.start(options.projects)).filter(isChosen)
  const late = await runLoaded(loaded, session, (mutant) =>
    nearestFirst(
      files.filter(({ moduleId }) => candidates.get(mutant)?.has(moduleId)),
      [mutant],
    ).slice(0, maxFilesOfStaticChange),
  )
  await session.close()
  return mutants.map((mutant) => ({
    mutant,
    killedBy: killers.get(mutant.id) ?? late.get(mutant),
    isReached: tried.has(mutant.id) || (candidates.get(mutant)?.size ?? 0) > 0,
  }))
}
