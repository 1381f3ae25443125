import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderAlerts } from '../../testing/alerts.tsx'

const digest = { mode: 'off', hour: 8, time_zone: 'UTC', with_content: false, can_send: true }

it('a choice is stored at once, and shown as the server has it', async () => {
  const { calls, user } = renderAlerts('/alerts?tab=mails', {
    handlers: {
      'GET /api/alerts/digest': () => ({ body: digest }),
      'PUT /api/alerts/digest': () => ({ body: { ...digest, mode: 'daily', time_zone: 'Asia/Kabul' } }),
    },
  })
  await user.click(await screen.findByRole('combobox', { name: 'Mails' }))
  await user.click(await screen.findByRole('option', { name: 'Once a day, if there are new ones' }))
  expect(await screen.findByText('In your time zone, Asia/Kabul')).toBeVisible()
  expect(calls.find(({ key }) => key === 'PUT /api/alerts/digest')?.body).toMatchObject({ mode: 'daily', hour: 8 })
})
