import { expect, it } from 'vitest'
import { toErrorBody } from '#contract/app-error.ts'
import { auth } from '#contract/endpoints/auth.ts'
import { NewEmail } from '#contract/names.ts'
import { invalidInput, parseInput } from './parse.ts'

function refusalOf(attempt: () => unknown) {
  try {
    attempt()
  } catch (error) {
    return error
  }
  return undefined
}

it('lists every error, and those of one field by its name', () => {
  const input = { email: 'nobody', username: '', password: 'Correct1!' }
  expect(refusalOf(() => parseInput(auth.signUp.body, input))).toMatchObject({
    code: 'invalid_input',
    message: 'Please check your input and try again.',
    details: ['Please enter a valid email address', 'Username is required'],
    fields: { email: ['Please enter a valid email address'], username: ['Username is required'] },
  })
})

it('names the field of an input that is parsed by itself', () => {
  expect(refusalOf(() => parseInput(NewEmail, 'nobody', 'email'))).toMatchObject({
    message: 'Please enter a valid email address',
    fields: { email: ['Please enter a valid email address'] },
  })
})

it('sends no `fields` where an error is about the whole request', () => {
  expect(toErrorBody(invalidInput(['Come back later']))).toEqual({
    error: 'Come back later',
    code: 'invalid_input',
    details: ['Come back later'],
  })
})
