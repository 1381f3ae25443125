import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { auth } from '#contract/endpoints/auth.ts'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { call } from '../api/client.ts'
import { validateInput } from './form-errors.ts'
import { useMutationForm } from './use-mutation-form.ts'

const signUp = 'POST /api/auth/signup'

function SignUpForm() {
  const { form, submit, generalError, result } = useMutationForm({
    initialValues: { email: '', username: '', password: 'Correct1!' },
    validate: (values) => validateInput(auth.signUp.body, values),
    send: (values) => call(auth.signUp, { body: values }),
  })
  return (
    <form onSubmit={submit} noValidate>
      {generalError && <Alert role="alert">{generalError}</Alert>}
      <TextInput label="Email" {...form.getInputProps('email')} />
      <TextInput label="Username" {...form.getInputProps('username')} />
      <PasswordInput label="Password" {...form.getInputProps('password')} />
      <Button type="submit">Send</Button>
      {result && <p>Welcome, {result.user.username}</p>}
    </form>
  )
}

async function submitForm(answer: () => { status?: number; body: unknown }, email = 'nadia@example.org') {
  const calls = fakeServer({ [signUp]: answer })
  const { user } = renderAt('/', <SignUpForm />)
  await user.type(screen.getByLabelText('Email'), email)
  await user.type(screen.getByLabelText('Username'), 'nadia')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  return { user, calls }
}

describe('a form that sends its values', () => {
  it('sends nothing while a value is invalid, and moves the focus to the first such field', async () => {
    const { calls } = await submitForm(() => failure(500), 'nobody')
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Please enter a valid email address')
    expect(screen.getByLabelText('Email')).toHaveFocus()
    expect(calls).toEqual([])
  })

  it('returns the answer', async () => {
    await submitForm(() => ({ status: 201, body: { message: 'ok', user: someUser } }))
    expect(await screen.findByText('Welcome, nadia')).toBeVisible()
  })

  it('shows an error of the server at the field of its code until the field is edited', async () => {
    const { user } = await submitForm(() => failure(409, 'Taken', { code: 'username_taken' }))
    expect(await screen.findByText('Taken')).toBeVisible()
    expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('Taken')
    expect(screen.getByLabelText('Username')).toHaveFocus()
    expect(screen.queryByRole('alert')).toBeNull()
    await user.type(screen.getByLabelText('Email'), 'x')
    expect(screen.getByText('Taken')).toBeVisible()
    await user.type(screen.getByLabelText('Username'), '2')
    expect(screen.queryByText('Taken')).toBeNull()
  })

  it('shows each detail at the field it names and the others above the form', async () => {
    const fields = { password: ['Too common', 'Too short'], captcha: ['Not solved'] }
    const details = [...Object.values(fields).flat(), 'Come back later']
    await submitForm(() => failure(400, 'Check your input', { code: 'invalid_input', details, fields }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Not solved Come back later')
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Too common Too short')
    expect(screen.getByLabelText('Password')).toHaveFocus()
  })

  it('drops the general error of the last call when the next submit is invalid', async () => {
    const { user } = await submitForm(() => failure(503, 'Down for maintenance'))
    expect(await screen.findByRole('alert')).toHaveTextContent('Down for maintenance')
    await user.clear(screen.getByLabelText('Email'))
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
