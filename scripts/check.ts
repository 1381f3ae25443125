// npm run check: types, lint, structure, format, unused code, lockfile. Runs every check, two at a time, and prints every failure.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = dirname(import.meta.dirname)
const bin = (path: string) => join(root, 'node_modules', path)

interface Check {
  name: string
  script: string
  args: string[]
}

/** With several threads, each checks the types that files share again: four, the default, take twice the CPU time of one. */
const typesOnly = ['--noEmit', '--singleThreaded']

/** The longest comes first, so that most of the others run alongside it. */
const checks: Check[] = [
  { name: 'format', script: bin('prettier/bin/prettier.cjs'), args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'types', script: bin('typescript/bin/tsc'), args: [...typesOnly, '-p', 'tsconfig.json'] },
  { name: 'types (web)', script: bin('typescript/bin/tsc'), args: [...typesOnly, '-p', 'web'] },
  { name: 'types (e2e)', script: bin('typescript/bin/tsc'), args: [...typesOnly, '-p', 'web/e2e'] },
  { name: 'lint', script: bin('oxlint/bin/oxlint'), args: ['--deny-warnings'] },
  { name: 'structure', script: join(root, 'scripts/check/structure.ts'), args: [] },
  { name: 'unused code', script: bin('knip/bin/knip.js'), args: ['--no-progress'] },
  { name: 'lockfile', script: join(root, 'scripts/lockfile.mjs'), args: ['--check'] },
]

const waiting = [...checks]
let failed = 0

async function runChecks() {
  for (let check = waiting.shift(); check; check = waiting.shift()) await run(check)
}

async function run({ name, script, args }: Check) {
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise((resolve) => child.once('close', resolve))
  const output = await Promise.all([text(child.stdout), text(child.stderr)])
  const status = await exited
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (status === 0) return
  failed += 1
  console.log(output.join('').trimEnd())
}

await Promise.all([runChecks(), runChecks()])
process.exit(failed === 0 ? 0 : 1)
