import { NumberInput, TextInput } from '@mantine/core'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { renderAt } from '../../testing/render.tsx'
import { typeWesternDigits } from './type-western-digits.ts'

let stop: () => void

beforeEach(() => {
  stop = typeWesternDigits(document)
})
afterEach(() => stop())

function Fields() {
  const [days, setDays] = useState<string | number>('')
  const [code, setCode] = useState('')
  return (
    <>
      <NumberInput label="Days" value={days} onChange={setDays} allowDecimal={false} />
      <TextInput
        label="Code"
        inputMode="numeric"
        maxLength={6}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, ''))}
      />
      <TextInput label="Name" />
      <output>{String(days)}</output>
    </>
  )
}

it('a number field takes Persian and Arabic-Indic digits as numbers', async () => {
  renderAt('/', <Fields />)
  const user = userEvent.setup()
  await user.type(screen.getByLabelText('Days'), '۱٤2')
  expect(screen.getByRole('status')).toHaveTextContent('142')
  await user.type(screen.getByLabelText('Code'), '۱۲۳۴۵۶۷')
  expect(screen.getByLabelText('Code')).toHaveValue('123456')
})

it('other fields keep what is typed', async () => {
  renderAt('/', <Fields />)
  await userEvent.type(screen.getByLabelText('Name'), 'دفتر ۱۲')
  expect(screen.getByLabelText('Name')).toHaveValue('دفتر ۱۲')
})
