import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { forgetLikelyNames } from '../../../shared/recordings/tab-data.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const startKey = 'POST /api/transcribe'

async function show({ id, transcription = null }: { id?: string; transcription?: TranscriptionResult | null } = {}) {
  const recording = makeRecording(transcription, id === undefined ? {} : { id })
  const { user, unmount, sent } = await renderDesk(recording, { [startKey]: () => failure(503, 'Busy') })
  return { user, unmount, sent: () => sent(startKey) }
}

const disclosure = () => screen.getByRole('button', { name: /^Names likely to be heard/ })
const field = () => screen.getByRole('combobox', { name: 'Names' })
const start = () => screen.getByRole('button', { name: /^Start Dual/ })

it('requests no names unless some were typed, and collapses the field', async () => {
  const { user, sent } = await show()
  expect(disclosure()).toHaveAttribute('aria-expanded', 'false')
  await user.click(start())
  expect(await sent()).not.toHaveProperty('names')
})

it('sends the names, separated by commas of either script, with what is still being typed', async () => {
  const { user, sent } = await show()
  await user.click(disclosure())
  expect(disclosure()).toHaveAttribute('aria-expanded', 'true')
  expect(field()).toHaveAccessibleDescription(/Only names of people and places; other words make the transcript worse/)
  await user.type(field(), 'Ahmad, کندهار، Kabul')
  await user.click(start())
  expect(await sent()).toMatchObject({ names: ['Ahmad', 'کندهار', 'Kabul'] })
  expect(disclosure()).toHaveTextContent('Names likely to be heard (3)')
})

it('splits a list that was inserted without key presses', async () => {
  const { user, sent } = await show()
  await user.click(disclosure())
  await user.click(field())
  fireEvent.change(field(), { target: { value: 'Ahmad,, کندهار، Kabul, Ahmad' } })
  await user.click(start())
  expect(await sent()).toMatchObject({ names: ['Ahmad', 'کندهار', 'Kabul'] })
})

it('keeps the names of a recording for Retranscribe, and none for another or after signing out', async () => {
  const { user, unmount } = await show()
  await user.click(disclosure())
  await user.type(field(), 'Ahmad,')
  unmount()

  const transcription = makeTranscript([makeSegment('سلام ورور')])
  const again = await show({ transcription })
  await again.user.click(screen.getByRole('button', { name: 'Retranscribe' }))
  const dialog = within(await screen.findByRole('dialog'))
  await again.user.click(dialog.getByRole('button', { name: 'Transcribe again' }))
  expect(await again.sent()).toMatchObject({ names: ['Ahmad'], force: true })
  again.unmount()

  const other = await show({ id: '0123456789abcdef0123456a' })
  expect(disclosure()).toHaveTextContent(/heard$/)
  other.unmount()

  forgetLikelyNames()
  await show()
  expect(disclosure()).toHaveTextContent(/heard$/)
})

it('shows that a name is too long', async () => {
  const { user } = await show()
  await user.click(disclosure())
  await user.click(field())
  await user.paste(`${'x'.repeat(61)},`)
  expect(await screen.findByText('A name has at most 60 characters')).toBeVisible()
})
