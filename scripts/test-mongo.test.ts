import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

async function runWith(args: string[], env: NodeJS.ProcessEnv): Promise<{ status: unknown; lines: string[] }> {
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    env: { ...process.env, MONGODB_URI: '', MONGOD: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { status, lines: output.trim().split('\n') }
}

test.each([
  ['the suites, no file', ['test-mongo.ts'], { MONGOD: '/nowhere/mongod' }],
  ['the suites, no server', ['test-mongo.ts'], { MONGODB_URI: 'mongodb://127.0.0.1:9/awaz' }],
  ['the benchmark, no file', ['bench/main.ts', 'db', '--mongo'], { MONGOD: '/nowhere/mongod' }],
])('without a MongoDB server one line says what is missing, and the status is 2: %s', async (_what, args, env) => {
  const { status, lines } = await runWith(args, env)
  expect(lines).toEqual([expect.stringMatching(/^Missing: a MongoDB server\. Set MONGODB_URI, or MONGOD to a mongod/)])
  expect(status).toBe(2)
})

test('chaos says in one line that its mongod does not start, and ends with 2', async () => {
  const { status, lines } = await runWith(['chaos.ts', '--mongod', '/nowhere/mongod'], {})
  expect(lines).toEqual([expect.stringMatching(/^Missing: \/nowhere\/mongod does not start/)])
  expect(status).toBe(2)
})
