import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

// Everything that reads or formats a lot shares one admission control: docs/decisions/heavy-reads.md.

/** How many open downloads the server admits, per user and in total. */
const maxOpenPerUser = 16
const maxOpen = 128

let server: TestServer
let many: SignedInUser
let other: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  many = await server.createSignedIn()
  other = await server.createSignedIn()
})
afterAll(() => server.close())

async function storeCall({ id }: SignedInUser, minutes = 1): Promise<string> {
  return (await storeLongCall(server.services.database, id, { minutes })).recordingId
}

const exportCall = (user: SignedInUser, id: string, format: 'docx' | 'txt' = 'txt') =>
  server.call(api.recordings.export, { params: { id }, query: { format }, token: user.accessToken })

/** Opens downloads of a user that stay open until the returned function is called; the first of them has the user's turn. */
function holdDownloads(userId: string, count: number) {
  const gate = Promise.withResolvers<void>()
  const { signal } = new AbortController()
  const reads = Array.from({ length: count }, () => {
    const read = server.services.heavyReads.admit({ userId, lane: 'file', signal, isPatient: true })
    void read.takeTurn(() => gate.promise)
    return read
  })
  return function end() {
    gate.resolve()
    for (const { release } of reads) release()
  }
}

function hasRoom(userId: string): boolean {
  try {
    const { signal } = new AbortController()
    server.services.heavyReads.admit({ userId, lane: 'file', signal, isPatient: false }).release()
    return true
  } catch {
    return false
  }
}

test('many Word files of one user take no place from the one of another', async () => {
  const [long, short] = await Promise.all([storeCall(many, 5), storeCall(other)])
  const order: string[] = []
  const answered = async (name: string, answer: ReturnType<typeof exportCall>) => {
    const { status, headers } = await answer
    const retry = headers.get('Retry-After')
    order.push(`${name} ${status}${retry ? ` after ${retry} s` : ''}`)
  }
  const flood = Array.from({ length: maxOpenPerUser + 8 }, () => answered('many', exportCall(many, long, 'docx')))
  await Promise.race(flood)
  await answered('other', exportCall(other, short, 'docx'))
  expect(order).toContain('other 200')
  await Promise.all(flood)
  expect(order.at(-1)).toBe('many 200')
  expect(new Set(order)).toEqual(new Set(['many 200', 'many 429 after 5 s', 'other 200']))
})

test('the downloads of one user wait for each other, and nobody else for them', async () => {
  const [own, others] = await Promise.all([storeCall(many), storeCall(other)])
  const end = holdDownloads(many.id, 3)
  let isAnswered = false
  const waiting = exportCall(many, own).finally(() => (isAnswered = true))
  expect((await exportCall(other, others)).status).toBe(200)
  const screen = await server.call(api.recordings.get, { params: { id: own }, token: many.accessToken })
  expect(screen.status).toBe(200)
  expect(isAnswered).toBe(false)
  end()
  expect((await waiting).status).toBe(200)
})

test('one download too many of a user is refused with 429 and the time to wait, and a download of another is not', async () => {
  const [own, others] = await Promise.all([storeCall(many), storeCall(other)])
  const end = holdDownloads(many.id, maxOpenPerUser)
  const refused = await exportCall(many, own)
  expect(refused.error).toMatchObject({ code: 'rate_limited', help: expect.any(String), remaining_seconds: 5 })
  expect(refused.headers.get('Retry-After')).toBe('5')
  const body = { selection: { ids: [own] }, formats: ['txt' as const] }
  expect((await server.call(api.batches.export, { body, token: many.accessToken })).status).toBe(429)
  expect((await exportCall(other, others)).status).toBe(200)
  end()
  expect((await exportCall(many, own)).status).toBe(200)
})

test('more downloads of all users than there is room for are refused with 503 and the time to wait', async () => {
  const id = await storeCall(other)
  const users = Array.from({ length: maxOpen / maxOpenPerUser }, (_, at) => `user ${at}`)
  const ends = users.map((userId) => holdDownloads(userId, maxOpenPerUser))
  const refused = await exportCall(other, id)
  expect([refused.status, refused.error.code]).toEqual([503, 'unavailable'])
  expect(refused.headers.get('Retry-After')).toBe('5')
  for (const end of ends) end()
  expect((await exportCall(other, id)).status).toBe(200)
})

test('a client that leaves frees its place, and is not logged as 404', async () => {
  const id = await storeCall(many)
  const end = holdDownloads(many.id, maxOpenPerUser - 1)
  const leaving = new AbortController()
  const left = fetch(`${server.url}/api/recordings/${id}/export?format=txt`, {
    headers: { Authorization: `Bearer ${many.accessToken}` },
    signal: leaving.signal,
  }).catch((error: Error) => error.name)
  await expect.poll(() => hasRoom(many.id)).toBe(false)
  server.logLines.length = 0
  leaving.abort()
  expect(await left).toBe('AbortError')
  await expect.poll(() => hasRoom(many.id)).toBe(true)
  const statuses = () => [...server.logLines.join('').matchAll(/"status":(\d+)/g)].map(([, status]) => status)
  await expect.poll(statuses).toEqual(['499'])
  expect(server.logLines.filter((line) => /"level":[45]0/.test(line))).toEqual([])
  end()
})
