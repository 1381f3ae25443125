import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { maxDocumentBytes } from './documents.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const fileOf = (name: string) => join(server.config.dataDir, `${name}.md`)
beforeEach(async () => {
  for (const name of ['terms', 'privacy', 'support']) await rm(fileOf(name), { recursive: true, force: true })
})

async function read(name: 'terms' | 'privacy' | 'support') {
  return (await server.call(api.system.document, { params: { name } })).data.markdown
}

test.each(['terms', 'privacy', 'support'] as const)("gives the operator's %s to anyone", async (name) => {
  expect(await read(name)).toBeNull()
  const text = `# Rules of the house (${name})\n\nد استعمال شرطونه <script>alert(1)</script>\n`
  await writeFile(fileOf(name), text)
  expect(await read(name)).toBe(text)
})

test('returns null for a file that is blank, unreadable or too large', async () => {
  await writeFile(fileOf('terms'), ' \n')
  expect(await read('terms')).toBeNull()
  await mkdir(fileOf('privacy'))
  expect(await read('privacy')).toBeNull()
  await writeFile(fileOf('support'), 'a'.repeat(maxDocumentBytes))
  expect(await read('support')).toHaveLength(maxDocumentBytes)
  await writeFile(fileOf('support'), 'a'.repeat(maxDocumentBytes + 1))
  expect(await read('support')).toBeNull()
})

test.each(['secrets', 'initial-admin-password', '..%2Fterms', 'terms.md', '%2e%2e'])(
  'gives nothing but the three pages: %s',
  async (name) => {
    const answer = await fetch(`${server.url}/api/documents/${name}`)
    expect([400, 404]).toContain(answer.status)
    expect(await answer.json()).toMatchObject({ error: expect.any(String) })
  },
)
