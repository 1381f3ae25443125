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
  })

  it('reports the branch of a union that comes closest', () => {
    const input = { email: 'nobody', code: '123456', new_password: 'Correct1!' }
    expect(checkInput(auth.resetPassword.body, input).errors).toEqual([
      { field: 'email', message: 'Please enter a valid email address' },
    ])
  })
})
