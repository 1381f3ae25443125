import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startScriptedMongo, type ScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { startTestServer } from '#testing/server.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const tooOld = { version: '4.4.29', maxWireVersion: 9 }
const sentence = 'MongoDB 4.4.29 is too old: Awaz needs MongoDB 5.0 or later.'
let direct: TestDatabase
let mongo: ScriptedMongo

beforeEach(async () => {
  direct = await createTestDatabase({ isEmbedded: true })
  mongo = await startScriptedMongo({ upstreamUri: direct.uri })
})
afterEach(async () => {
  await mongo.close()
  await direct.drop()
})

test.each(['server/main.ts', 'engine/main.ts'])(
  '%s does not start with a MongoDB that is too old, and says why',
  async (script) => {
    mongo.claim(tooOld)
    const env = {
      ...process.env,
      AWAZ_ENV_FILE: '',
      DATA_DIR: await temporaryFolder(),
      MONGODB_URI: mongo.uri,
      PORT: '0',
    }
    const { promise, resolve } = Promise.withResolvers<{ code: unknown; stderr: string }>()
    execFile(process.execPath, [join(root, script)], { env }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    )
    const { code, stderr } = await promise
    expect(code).toBe(1)
    expect(stderr.trim()).toBe(`${sentence} Upgrade it: docs/mongodb.md.`)
  },
)

test('a server is not ready while its MongoDB is too old', async () => {
  vi.stubEnv('MONGODB_URI', mongo.uri)
  const server = await startTestServer()
  mongo.claim(tooOld)
  const response = await fetch(`${server.url}/readyz`)
  await server.close()
  vi.unstubAllEnvs()
  expect(response.status).toBe(503)
  expect(api.system.ready.response.parse(await response.json()).checks.database).toEqual({
    ok: false,
    message: sentence,
  })
})
