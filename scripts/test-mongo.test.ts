import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

async function runWith(env: NodeJS.ProcessEnv): Promise<{ status: unknown; lines: string[] }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test-mongo.ts')], {
    env: { ...process.env, MONGODB_URI: '', MONGOD: '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { status, lines: output.trim().split('\n') }
}

test.each([
  ['no file', { MONGOD: '/nowhere/mongod' }],
  ['no server', { MONGODB_URI: 'mongodb://127.0.0.1:9/awaz' }],
])('without a MongoDB server one line says what is missing, and the status is 2: %s', async (_what, env) => {
  const { status, lines } = await runWith(env)
  expect(lines).toEqual([expect.stringMatching(/^Missing: a MongoDB server\. Set MONGODB_URI, or MONGOD to a mongod/)])
  expect(status).toBe(2)
})
