import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { auth } from './endpoints/auth.ts'
import { checkInput } from './input-errors.ts'

describe('checking an input', () => {
  it('returns what the schema makes of a valid one', () => {
    expect(checkInput(z.object({ name: z.string().trim() }), { name: ' a ' })).toEqual({
      data: { name: 'a' },
      errors: undefined,
    })
  })

  it('names the field of each error, and writes a sentence where the schema has none', () => {
    const input = { email: 'nobody', username: 'nadia', password: 'Correct1!', first_name: 'a'.repeat(101) }
    expect(checkInput(auth.signUp.body, input).errors).toEqual([
      { field: 'email', message: 'Please enter a valid email address' },
      { field: 'first_name', message: 'First name is too long' },
    ])
  })

  it('names no field where the input as a whole is wrong', () => {
    expect(checkInput(auth.signUp.body, 'text').errors).toEqual([
      { field: undefined, message: 'The request is not valid' },
    ])
    expect(checkInput(z.array(z.string()), [1]).errors).toEqual([
      { field: undefined, message: 'The request is not valid' },
    ])
  })

  it('names the field of a choice between kinds where the value is of none of them', () => {
    const schema = z.object({ selection: z.union([z.object({ ids: z.array(z.int()) }), z.enum(['all', 'none'])]) })
    expect(checkInput(schema, {}).errors).toEqual([{ field: 'selection', message: 'Selection is required' }])
    expect(checkInput(schema, { selection: 7 }).errors).toEqual([
      { field: 'selection', message: 'Selection is not valid' },
    ])
    expect(checkInput(schema, { selection: { ids: ['a'] } }).errors).toEqual([
      { field: 'selection', message: 'Ids is not valid' },
    ])
  })

  it.each([
    [z.number().max(1), 2, 'Number is too large'],
    [z.int().max(1), 2, 'Number is too large'],
    [z.number().min(1), 0, 'Number is too small'],
    [z.int().min(1), 0, 'Number is too small'],
    [z.string().max(1), 'ab', 'Number is too long'],
    [z.array(z.int()).min(1), [], 'Number is too short'],
  ])('says that a number is too large or small, and all else too long or short: %#', (schema, number, message) => {
    expect(checkInput(z.object({ number: schema }), { number }).errors).toEqual([{ field: 'number', message }])
  })

  it('writes out short names, and names the innermost field of a list', () => {
    const schema = z.object({
      people: z.array(z.object({ user_id: z.string(), totp: z.string(), last_ip: z.string() })),
    })
    expect(checkInput(schema, { people: [{}] }).errors).toEqual([
      { field: 'people', message: 'User Id is required' },
      { field: 'people', message: 'TOTP is required' },
      { field: 'people', message: 'Last IP is required' },
    ])
  })

  it('does not repeat fields that it does not know', () => {
    expect(checkInput(z.strictObject({}), { password: 'x' }).errors).toEqual([
      { field: undefined, message: 'The request holds fields that are not known' },
    ])
  })

  it('names the field that tells kinds apart where there is no such kind', () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b') }),
    ])
    expect(checkInput(schema, { kind: 'c' }).errors).toEqual([{ field: 'kind', message: 'Kind is not valid' }])
  })

  it('reports the branch of a union that comes closest', () => {
    const input = { email: 'nobody', code: '123456', new_password: 'Correct1!' }
    expect(checkInput(auth.resetPassword.body, input).errors).toEqual([
      { field: 'email', message: 'Please enter a valid email address' },
    ])
  })
})
