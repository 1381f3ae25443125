import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareRuns, readFigures, type BenchFigure } from './compare/figures.ts'

const root = dirname(dirname(import.meta.dirname))
const maxRatio = 1.05

/**
 * `npm run bench -- compare REVISION PART [--rounds N] [-- arguments of the part]`: runs a part of the benchmark on an earlier commit and
 * on the working tree, taking turns, and prints each figure with its ratio and with the spread of the old code against itself. The
 * earlier commit runs in its own worktree with the packages that are installed here.
 */
export async function run(args: string[]): Promise<void> {
  const options = { rounds: { type: 'string', default: '3' } } as const
  const split = args.includes('--') ? args.indexOf('--') : args.length
  const { values, positionals } = parseArgs({ args: args.slice(0, split), options, allowPositionals: true })
  const [revision, part] = positionals
  if (!revision || !part) throw new Error('Name a revision and a part: npm run bench -- compare HEAD~10 api')
  const old = await mkdtemp(join(tmpdir(), 'awaz-bench-'))
  try {
    await execute('git', ['worktree', 'add', '--detach', '--force', old, revision], root)
    await symlink(join(root, 'node_modules'), join(old, 'node_modules'))
    const before: BenchFigure[][] = []
    const after: BenchFigure[][] = []
    for (let round = 0; round < Number(values.rounds); round += 1) {
      before.push(await runPart(old, part, args.slice(split + 1)))
      after.push(await runPart(root, part, args.slice(split + 1)))
    }
    printComparison(before, after)
  } finally {
    await execute('git', ['worktree', 'remove', '--force', old], root).catch(() => rm(old, { recursive: true }))
  }
}

async function runPart(folder: string, part: string, args: readonly string[]): Promise<BenchFigure[]> {
  const output = await execute(process.execPath, ['scripts/bench/main.ts', part, ...args], folder)
  return readFigures(output)
}

async function execute(command: string, args: readonly string[], folder: string): Promise<string> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [status] = (await once(child, 'close')) as [number | null] // as node:child_process documents
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${printed}${errors}`)
  return printed
}

function printComparison(before: readonly BenchFigure[][], after: readonly BenchFigure[][]): void {
  for (const { label, before: old, after: current, ratio, noise } of compareRuns(before, after)) {
    const isWorse = ratio > maxRatio && ratio > noise
    const figures = `${old.toFixed(2)} → ${current.toFixed(2)}, ratio ${ratio.toFixed(2)}, noise ${noise.toFixed(2)}`
    console.log(`${isWorse ? 'WORSE' : 'ok   '} ${label}: ${figures}`)
  }
}
