import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { maxListedWords, type ListedWord } from '#contract/word-lists.ts'
import { findWordList, listWordListsOfRecording } from '#data/word-lists/word-lists.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

const { wordLists, cases } = api

let server: TestServer
let owner: SignedInUser
let editor: SignedInUser
let viewer: SignedInUser
let outsider: SignedInUser
let admin: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createSignedIn()
  editor = await server.createSignedIn()
  viewer = await server.createSignedIn()
  outsider = await server.createSignedIn()
  admin = await server.createSignedIn({ role: 'admin' })
})
afterAll(() => server.close())

const connection = () => server.services.database.connection
const as = (user: SignedInUser) => ({ token: user.accessToken })
const qandahar: ListedWord = { word: 'Qandahar', heard_as: ['Kandahar', 'can the heart'] }
const spinBoldak: ListedWord = { word: 'سپین بولدک', heard_as: [] }

async function createShared(by = owner): Promise<{ id: string }> {
  const { id } = (await server.call(cases.create, { ...as(by), body: { name: 'Bridge' } })).data
  for (const [user, role] of [
    [editor, 'edit'],
    [viewer, 'view'],
  ] as const) {
    await server.call(cases.setMember, { ...as(by), params: { id }, body: { email: user.email, role } })
  }
  return { id }
}

describe('the list of a user', () => {
  test('is empty at first, and replaced as a whole', async () => {
    const user = await server.createSignedIn()
    expect((await server.call(wordLists.own, as(user))).data).toEqual({ revision: 0, words: [] })
    const body = { revision: 0, words: [qandahar, spinBoldak] }
    expect((await server.call(wordLists.replaceOwn, { ...as(user), body })).data).toEqual({ ...body, revision: 1 })
    expect((await server.call(wordLists.own, as(user))).data).toEqual({ ...body, revision: 1 })
    await server.call(wordLists.replaceOwn, { ...as(user), body: { revision: 1, words: [] } })
    expect((await server.call(wordLists.own, as(user))).data).toEqual({ revision: 2, words: [] })
  })

  test('that was changed meanwhile is refused, and stays', async () => {
    const user = await server.createSignedIn()
    await server.call(wordLists.replaceOwn, { ...as(user), body: { revision: 0, words: [qandahar] } })
    for (const revision of [0, 2]) {
      const refused = await server.call(wordLists.replaceOwn, { ...as(user), body: { revision, words: [] } })
      expect(refused.error).toMatchObject({ code: 'conflict', error: 'The list was changed meanwhile' })
    }
    expect((await server.call(wordLists.own, as(user))).data.words).toEqual([qandahar])
  })

  test('is nobody else’s', async () => {
    const body = { revision: 0, words: [qandahar] }
    await server.call(wordLists.replaceOwn, { ...as(await server.createSignedIn()), body })
    expect((await server.call(wordLists.own, as(outsider))).data.words).toEqual([])
  })

  test.each([
    ['no letter or digit', [{ word: '…' }], 'A word has at least one letter or digit'],
    ['61 characters', [{ word: 'x'.repeat(61) }], 'A word has at most 60 characters'],
    ['five words', [{ word: 'a b c d e' }], 'A name has at most 4 words separated by blanks'],
    [
      'nine other spellings in two entries of one word',
      [
        { word: 'a', heard_as: [...'bcdefghi'] },
        { word: 'a', heard_as: ['j'] },
      ],
      'A word has at most 8 other spellings',
    ],
    ['nine other spellings', [{ word: 'a', heard_as: [...'bcdefghij'] }], 'A word has at most 8 other spellings'],
    [
      'one entry too many',
      Array.from({ length: maxListedWords + 1 }, (_, index) => ({ word: `Name ${index}` })),
      'A list has at most 500 words',
    ],
  ])('with %s is refused with a sentence', async (_, words, sentence) => {
    const refused = await server.call(wordLists.replaceOwn, { ...as(outsider), body: { revision: 0, words } })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.raw)).toContain(sentence)
  })

  test('is gone with the account', async () => {
    const user = await server.createSignedIn()
    await server.call(wordLists.replaceOwn, { ...as(user), body: { revision: 0, words: [qandahar] } })
    await server.call(api.admin.deleteUser, { ...as(admin), params: { id: user.id } })
    expect(await findWordList(connection(), { of: 'user', id: user.id })).toEqual({ revision: 0, words: [] })
  })

  describe('whose account is closed while the request is running', () => {
    const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
    const flags = { role: 'user', isVerified: true, hasTwoFactor: false, isTwoFactorDue: false } as const
    /** Continues as a request would that was authenticated before the account was closed. */
    const replaceAs = ({ id, email, username }: SignedInUser, revision: number) => {
      const user = { id, email, username, ...flags, mustChangePassword: false, isActive: true, isLibraryClosed: false }
      return server.services.wordLists.replaceOwn({ user, origin }, { revision, words: [qandahar] })
    }

    test.each(['deleted', 'deactivated, as the first step of deleting it'])(
      'by being %s is not stored',
      async (how) => {
        const user = await server.createSignedIn()
        if (how === 'deleted') await server.call(api.admin.deleteUser, { ...as(admin), params: { id: user.id } })
        else await server.services.users.update(user.id, { isActive: false })
        await expect(replaceAs(user, 0)).rejects.toMatchObject({ code: 'session_expired' })
        expect(await findWordList(connection(), { of: 'user', id: user.id })).toEqual({ revision: 0, words: [] })
      },
    )

    test('keeps the words of an account that is only deactivated', async () => {
      const user = await server.createSignedIn()
      await server.call(wordLists.replaceOwn, { ...as(user), body: { revision: 0, words: [spinBoldak] } })
      await server.services.users.update(user.id, { isActive: false })
      await replaceAs(user, 1)
      expect(await findWordList(connection(), { of: 'user', id: user.id })).toEqual({ revision: 2, words: [qandahar] })
    })
  })
})

describe('the list of a case', () => {
  test('is written by its owner and members with edit, and read by all members', async () => {
    const params = await createShared()
    await server.call(wordLists.replaceOfCase, { ...as(owner), params, body: { revision: 0, words: [qandahar] } })
    const body = { revision: 1, words: [qandahar, spinBoldak] }
    expect((await server.call(wordLists.replaceOfCase, { ...as(editor), params, body })).data.revision).toBe(2)
    for (const user of [owner, editor, viewer]) {
      expect((await server.call(wordLists.ofCase, { ...as(user), params })).data).toEqual({ ...body, revision: 2 })
    }
  })

  test('is refused to members with view for writing, to admins for reading, and does not exist for strangers', async () => {
    const params = await createShared()
    const body = { revision: 0, words: [qandahar] }
    expect((await server.call(wordLists.replaceOfCase, { ...as(viewer), params, body })).error.code).toBe('forbidden')
    expect((await server.call(wordLists.replaceOfCase, { ...as(admin), params, body })).error.code).toBe('forbidden')
    expect((await server.call(wordLists.ofCase, { ...as(admin), params })).error.code).toBe('forbidden')
    expect((await server.call(wordLists.replaceOfCase, { ...as(outsider), params, body })).error.code).toBe('not_found')
    expect((await server.call(wordLists.ofCase, { ...as(outsider), params })).error.code).toBe('not_found')
    expect((await server.call(wordLists.ofCase, { ...as(owner), params })).data.words).toEqual([])
  })

  test('that was changed meanwhile is refused', async () => {
    const params = await createShared()
    const body = { revision: 0, words: [qandahar] }
    await server.call(wordLists.replaceOfCase, { ...as(owner), params, body })
    expect((await server.call(wordLists.replaceOfCase, { ...as(editor), params, body })).error.code).toBe('conflict')
  })

  test.each(['the case', 'the account of its owner'])('is gone with %s', async (gone) => {
    const creator = await server.createSignedIn()
    const params = await createShared(creator)
    const body = { revision: 0, words: [qandahar] }
    await server.call(wordLists.replaceOfCase, { ...as(creator), params, body })
    if (gone === 'the case') await server.call(cases.remove, { ...as(creator), params })
    else await server.call(api.admin.deleteUser, { ...as(admin), params: { id: creator.id } })
    expect(await findWordList(connection(), { of: 'case', ...params })).toEqual({ revision: 0, words: [] })
  })
})

test('a change is audited with the number of words, and without the words', async () => {
  const params = await createShared()
  const body = { revision: 0, words: [{ word: 'Lighthouse' }] }
  await server.call(wordLists.replaceOfCase, { ...as(editor), params, body })
  const { data } = await server.call(api.admin.audit, { ...as(admin), query: { search: params.id } })
  const [event] = data.events
  expect(event).toMatchObject({ action: 'word_list.case', actor: editor.email, target: params.id, details: 'words: 1' })
  expect(JSON.stringify(data.events)).not.toContain('Lighthouse')
})

test('a recording is transcribed with the lists of its cases and then that of its owner, while the owner is a member', async () => {
  const member = await server.createSignedIn()
  const params = await createShared()
  const invitation = { email: member.email, role: 'edit' as const }
  await server.call(cases.setMember, { ...as(owner), params, body: invitation })
  const recordingId = await uploadDialogue(server, member.accessToken)
  const gather = () => listWordListsOfRecording(connection(), { ownerId: member.id, recordingId })
  await server.call(wordLists.replaceOfCase, { ...as(owner), params, body: { revision: 0, words: [spinBoldak] } })
  expect(await gather()).toEqual([])
  await server.call(wordLists.replaceOwn, { ...as(member), body: { revision: 0, words: [qandahar] } })
  await server.call(cases.addRecordings, { ...as(member), params, body: { selection: { ids: [recordingId] } } })
  expect(await gather()).toEqual([
    { of: 'case', id: params.id, revision: 1, words: [spinBoldak] },
    { of: 'user', id: member.id, revision: 1, words: [qandahar] },
  ])
  const { data } = await server.call(cases.get, { ...as(owner), params })
  const { id = '' } = data.members.find(({ email }) => email === member.email) ?? {}
  await server.call(cases.removeMember, { ...as(owner), params: { ...params, user_id: id } })
  expect((await gather()).map(({ of }) => of)).toEqual(['user'])
})
