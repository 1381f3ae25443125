import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findMissing, findMissingDatabase } from './requirements.ts'

const everything = { isRoot: true, programs: new Set(['ip', 'unshare', 'nginx']), hasNamespaces: true }
const end = 'Run this again where they are there.'

test('nothing is missing where everything is there', () => {
  expect(findMissing(everything)).toBeUndefined()
})

test.each([
  [{ isRoot: false, hasNamespaces: false }, `Missing: root. ${end}`],
  [{ programs: new Set(['ip', 'unshare']) }, `Missing: nginx (nginx). ${end}`],
  [
    { programs: new Set<string>(), hasNamespaces: false },
    `Missing: ip (iproute2), unshare (util-linux), nginx (nginx). ${end}`,
  ],
  [{ hasNamespaces: false }, `Missing: network namespaces (CAP_SYS_ADMIN). ${end}`],
])('one line names all that is missing: %j', (lacking, line) => {
  expect(findMissing({ ...everything, ...lacking })).toBe(line)
})

test('without what it needs, the command prints that line and ends with status 2', async () => {
  const command = join(dirname(import.meta.dirname), 'hosts.ts')
  const child = spawn(process.execPath, [command], {
    env: { ...process.env, PATH: '/nowhere' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(output).toMatch(/^Missing: .*ip \(iproute2\), .*\n$/)
  expect(status).toBe(2)
})

test('a database that cannot be reached is missing, and none that is not named', async () => {
  expect(await findMissingDatabase(undefined)).toBeUndefined()
  expect(await findMissingDatabase('mongodb://me:s3cret@127.0.0.1:9/awaz', { timeoutMs: 200 })).toMatch(
    /^Missing: the database of MONGODB_URI\. .* The database cannot be reached\.$/,
  )
})
