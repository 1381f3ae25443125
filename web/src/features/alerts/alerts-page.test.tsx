import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderAlerts } from '../../testing/alerts.tsx'
import { failure } from '../../testing/fake-server.ts'

it('shows each alert in its recording, with its sentence in its own direction and a link to the desk at that time', async () => {
  renderAlerts('/alerts')
  const group = within(await screen.findByRole('region', { name: 'call.wav' }))
  const link = group.getByRole('link', { name: /river.*Word of the watch list.*1:23.*Speaker A/ })
  expect(link).toHaveAttribute('href', '/transcribe?recording=cccccccccccccccccccccccc&t=83.5')
  expect(within(link).getByText('river', { selector: 'mark' })).toBeVisible()
  const sentence = group.getByText('دریا', { selector: 'mark' }).parentElement
  expect(sentence).toHaveAttribute('dir', 'rtl')
})

it('is used by keyboard: J and K move, R and D mark and go on, U undoes', async () => {
  const { calls, user } = renderAlerts('/alerts?state=all')
  const [first, second] = (await screen.findAllByRole('link')).filter(({ dataset }) => dataset.alert)
  await user.keyboard('j')
  expect(first).toHaveFocus()
  await user.keyboard('j')
  expect(second).toHaveFocus()
  await user.keyboard('k')
  expect(first).toHaveFocus()
  await user.keyboard('d')
  expect(second).toHaveFocus()
  const marks = () => calls.filter(({ key }) => key.startsWith('POST /api/alerts/state')).map(({ body }) => body)
  await waitFor(() => expect(marks()).toEqual([{ selection: { ids: ['1'.repeat(24)] }, state: 'dismissed' }]))
  expect(await screen.findByText('Dismissed: 1 alert')).toBeVisible()
  await user.keyboard('u')
  await waitFor(() => expect(marks().at(-1)).toEqual({ change_id: 'dddddddddddddddddddddddd' }))
})

it('marks all of a filter, or those that are selected', async () => {
  const { calls, user } = renderAlerts('/alerts?state=all&category=threats')
  await user.click(await screen.findByRole('button', { name: 'Review all' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Select دریا at 2:00' }))
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  const marks = () => calls.filter(({ key }) => key === 'POST /api/alerts/state').map(({ body }) => body)
  await waitFor(() =>
    expect(marks()).toEqual([
      { selection: { filter: { category: 'threats', state: 'all' } }, state: 'reviewed' },
      { selection: { ids: ['2'.repeat(24)] }, state: 'dismissed' },
    ]),
  )
})

it('says what a watch list is where there is none, and that one is up to date where nothing is new', async () => {
  const { unmount } = renderAlerts('/alerts', { alerts: [], lists: [] })
  expect(await screen.findByRole('button', { name: 'Add a watch list' })).toBeVisible()
  unmount()
  renderAlerts('/alerts', { alerts: [] })
  expect(await screen.findByText('You are up to date')).toBeVisible()
})

it('offers another try where alerts cannot be loaded', async () => {
  renderAlerts('/alerts', { handlers: { 'GET /api/alerts': () => failure(500) } })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
})

it('adds a watch list, and names what is missing before anything is sent', async () => {
  const { calls, user } = renderAlerts('/alerts?tab=watch-lists', { lists: [] })
  await user.click(await screen.findByRole('button', { name: 'Add a watch list' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a watch list' }))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await dialog.findByText('Please enter a name')).toBeVisible()
  expect(dialog.getByText('Choose a category or add a word')).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: /Name/ }), 'Rivers')
  await user.type(dialog.getByRole('combobox', { name: 'Words' }), 'river, bridge,')
  await user.click(dialog.getByRole('checkbox', { name: 'Threats' }))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  const sent = () => calls.find(({ key }) => key === 'POST /api/alerts/watch-lists')?.body
  await waitFor(() =>
    expect(sent()).toMatchObject({ name: 'Rivers', words: ['river', 'bridge'], categories: ['threats'], threshold: 1 }),
  )
})

it('scans the library for a watch list', async () => {
  const { calls, user } = renderAlerts('/alerts?tab=watch-lists')
  await user.click(await screen.findByRole('button', { name: 'More for Rivers' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Scan my library now' }))
  await waitFor(() => expect(calls.some(({ key }) => key.endsWith('/scan'))).toBe(true))
})

it('says where no mails can be sent', async () => {
  renderAlerts('/alerts?tab=mails')
  expect(await screen.findByText(/no mail server/)).toBeVisible()
})
