import { createHmac } from 'node:crypto'
import { hash } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const statusOf = async (email: string, password: string) =>
  (await server.call(api.auth.signIn, { body: { email, password } })).status

describe('a password is used exactly as typed', () => {
  test.each([
    ['a ligature and its letters', 'Harvest-ﬁre7', 'Harvest-fire7'],
    ['a small digit and a digit', 'Harvest-moon²', 'Harvest-moon2'],
    ['wide letters and letters', 'Ｈarvest-moon7', 'Harvest-moon7'],
    ['an Arabic and an ASCII digit', 'Harvest-moon۷', 'Harvest-moon7'],
    ['other case', 'Harvest-moon7', 'harvest-moon7'],
    ['a space at the end', 'Harvest-moon7 ', 'Harvest-moon7'],
    ['a character that shows nothing', 'Harvest\u200C-moon7', 'Harvest-moon7'],
    ['what stands behind byte 72', `${'Harvest-moon7'.repeat(6)}a`, `${'Harvest-moon7'.repeat(6)}b`],
  ])('%s are different passwords', async (_, chosen, other) => {
    const { email } = await server.createUser({ password: chosen })
    expect(await statusOf(email, other)).toBe(401)
    expect(await statusOf(email, chosen)).toBe(200)
  })

  test.each([
    ['آ', 'Nature-\u0622b7!', 'Nature-\u0627\u0653b7!'],
    ['ئ', 'Nature-\u0626b7!', 'Nature-\u064A\u0654b7!'],
    ['é', 'Natur\u00e9-moon7!', 'Nature\u0301-moon7!'],
  ])('%s is one password in both encodings that keyboards produce', async (_, composed, decomposed) => {
    const { email } = await server.createUser({ password: decomposed })
    expect(await statusOf(email, composed)).toBe(200)
    expect(await statusOf(email, decomposed)).toBe(200)
  })
})

describe('an older hash, made of NFKC', () => {
  async function createWithOldHash(password: string) {
    const user = await server.createUser()
    const { pepper } = server.services.secrets
    const text = createHmac('sha384', pepper).update(password.normalize('NFKC')).digest('base64')
    await server.services.users.update(user.id, { passwordHash: await hash(text, server.config.bcryptCost) })
    return user
  }

  test('signs in with the original input, is replaced, and accepts nothing else afterwards', async () => {
    const password = 'Harvest-ﬁre²'
    const { email, id } = await createWithOldHash(password)
    await signIn(server, { email, password })
    expect((await server.services.users.get(id)).passwordHash).toMatch(/^nfc\$2/)
    await signIn(server, { email, password })
    expect(await statusOf(email, password.normalize('NFKC'))).toBe(401)
  })

  test('costs a wrong password one hash, as an unknown address does', async () => {
    const { email } = await createWithOldHash('Harvest-ﬁre²')
    const { hasher } = server.services
    const before = hasher.operations()
    expect(await statusOf(email, 'Wrong-ﬁre²')).toBe(401)
    const known = hasher.operations() - before
    expect(await statusOf('nobody@example.org', 'Wrong-ﬁre²')).toBe(401)
    expect([known, hasher.operations() - before]).toEqual([1, 2])
  })
})
