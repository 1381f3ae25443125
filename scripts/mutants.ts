// npm run mutants -- PATH [options]: makes small changes to the code and reports which of them no test notices. docs/contributing.md
import { globSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseBySeed } from './mutants/choose.ts'
import { findMutationPoints } from './mutants/mutation-points.ts'
import { formatVerdict, summarize } from './mutants/report.ts'
import { projectsFor } from './mutants/suites.ts'
import { testMutants, type Mutant } from './mutants/test-mutants.ts'

const root = dirname(import.meta.dirname)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    min: { type: 'string', default: '80' },
    project: { type: 'string', multiple: true },
    tests: { type: 'string' },
    without: { type: 'string', multiple: true, default: [] },
    line: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})

/** Returns the source files of a folder, or the file itself. Tests and their helpers do not count as sources. */
function findSources(path: string): string[] {
  const absolute = join(root, path)
  if (statSync(absolute).isFile()) return [absolute]
  return globSync('**/*.{ts,tsx}', { cwd: absolute })
    .filter((file) => !/\.test\.tsx?$|(^|\/)testing\/|\.d\.ts$/.test(file))
    .map((file) => join(absolute, file))
    .filter((file) => !values.without.some((part) => relative(root, file).startsWith(part)))
    .toSorted()
}

const [target] = positionals
if (!target) {
  console.error(
    'Usage: npm run mutants -- PATH [--count 100] [--seed 1] [--min 80] [--project NAME] [--tests PART] [--without PATH] [--line N]',
  )
  process.exit(2)
}
const path = relative(root, join(process.cwd(), target))
const points = findSources(path).flatMap((file) => {
  const source = readFileSync(file, 'utf8')
  return findMutationPoints(file, source).map((point) => ({ ...point, path: file, source }))
})
const candidates = points.filter(({ line }) => !values.line || line === Number(values.line))
const mutants: Mutant[] = chooseBySeed(candidates, Number(values.count), Number(values.seed)).map((point, id) => ({
  ...point,
  id,
}))
console.log(`${mutants.length} of ${points.length} possible changes of ${path}, seed ${values.seed}`)
const verdicts = await testMutants(mutants, {
  projects: values.project ?? projectsFor(path),
  tests: values.tests,
  progressPath: join(tmpdir(), `awaz-mutants-${process.pid}.jsonl`),
  report: console.log,
})
for (const verdict of verdicts) if (!verdict.killedBy || values.verbose) console.log(formatVerdict(verdict, root))
const { line, percent } = summarize(verdicts)
console.log(line)
process.exit(percent < Number(values.min) ? 1 : 0)
