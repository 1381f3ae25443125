import { describe, expect, test } from 'vitest'
import { complaints, id, textOf } from '../testing/inputs.ts'
import { passkeys } from './passkeys.ts'

const passkey = { id, name: 'Phone', created_at: '2026-01-02T03:04:05.000Z', last_used_at: null, is_synced: true }
const response = { id: 'key', type: 'public-key', rawId: 'a2V5', response: { signature: 's' } }

describe('a passkey', () => {
  test('has a name of up to 60 characters', () => {
    for (const body of [passkeys.add.body, passkeys.rename.body]) {
      expect(complaints(body, { name: textOf(60), response })).toEqual([])
      expect(complaints(body, { name: ' ', response })).toEqual(['Name is required'])
      expect(complaints(body, { name: textOf(61), response })).toEqual(['Name must be at most 60 characters'])
    }
  })

  test('is added as the browser made it', () => {
    expect(passkeys.add.body.parse({ name: ' Phone ', response })).toEqual({ name: 'Phone', response })
    expect(passkeys.begin.response.parse({ options: { rp: {} } })).toEqual({ options: { rp: {} } })
  })

  test.each([
    [{ ...response, type: 'password' }, 'Type is not valid'],
    [{ ...response, id: textOf(2001) }, 'Id is too long'],
  ])('that no browser makes is refused: %#', (credential, sentence) => {
    expect(complaints(passkeys.add.body, { name: 'Phone', response: credential })).toEqual([sentence])
    expect(complaints(passkeys.signIn.body, { challenge_id: 'c', response: credential })).toEqual([sentence])
  })

  test('is shown with its last use', () => {
    expect(passkeys.list.response.parse({ passkeys: [passkey] })).toEqual({ passkeys: [passkey] })
    expect(passkeys.add.response.parse({ passkey })).toEqual({ passkey })
    expect(passkeys.rename.response.parse({ passkey })).toEqual({ passkey })
  })
})

describe('signing in with a passkey', () => {
  test('begins with a challenge', () => {
    const begun = { challenge_id: 'c', options: { challenge: 'x' } }
    expect(passkeys.beginSignIn.response.parse(begun)).toEqual(begun)
  })

  test('does not remember the user unless asked to', () => {
    const { body } = passkeys.signIn
    expect(body.parse({ challenge_id: textOf(200), response })).toEqual({
      challenge_id: textOf(200),
      response,
      remember_me: false,
    })
    expect(complaints(body, { challenge_id: textOf(201), response })).toEqual(['Challenge Id is too long'])
  })
})
