// npm run check: types, lint, structure, format, unused code, lockfile. Runs every check and prints every failure.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const bin = (path: string) => join(root, 'node_modules', path)

const checks = [
  { name: 'types', script: bin('typescript/bin/tsc'), args: ['--noEmit', '-p', 'tsconfig.json'] },
  { name: 'types (web)', script: bin('typescript/bin/tsc'), args: ['--noEmit', '-p', 'web'] },
  { name: 'types (e2e)', script: bin('typescript/bin/tsc'), args: ['--noEmit', '-p', 'web/e2e'] },
  { name: 'lint', script: bin('oxlint/bin/oxlint'), args: ['--deny-warnings'] },
  { name: 'structure', script: join(root, 'scripts/check/structure.ts'), args: [] },
  { name: 'format', script: bin('prettier/bin/prettier.cjs'), args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'unused code', script: bin('knip/bin/knip.js'), args: ['--no-progress'] },
  { name: 'lockfile', script: join(root, 'scripts/lockfile.mjs'), args: ['--check'] },
]

let failed = 0
for (const { name, script, args } of checks) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' })
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (status === 0) continue
  failed += 1
  console.log(`${stdout}${stderr}`.trimEnd())
}
process.exit(failed === 0 ? 0 : 1)
