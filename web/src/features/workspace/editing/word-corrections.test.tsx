import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { Word } from '#contract/transcription.ts'
import { renderEditingDesk } from '../../../testing/editing-desk.tsx'
import { makeMonoCall } from '../../../testing/mono-call.tsx'

const word = (text: string, heard?: string): Word => ({
  text,
  start: 0,
  end: 4,
  ...(heard !== undefined && { correction: { heard, written: text } }),
})

/** Returns a call in whose first line a word list has corrected two words. */
function makeCorrectedCall(): RecordingDetails {
  const call = makeMonoCall()
  const { transcription } = call
  if (!transcription) throw new Error('The call has a transcription')
  const words = [word('Qandahar', 'can the heart'), word('and'), word('Kabul', 'cable')]
  const [first, ...rest] = transcription.segments
  const corrected = { start: 0, end: 4, speaker: 'Speaker A', ...first, text: 'Qandahar and Kabul', words }
  return { ...call, transcription: { ...transcription, segments: [corrected, ...rest] } }
}

async function openMenu() {
  const rendered = renderEditingDesk(makeCorrectedCall())
  const button = await screen.findByRole('button', { name: 'Actions for the line at 0:00' })
  await rendered.user.click(button)
  return { ...rendered, reopen: () => rendered.user.click(button) }
}

const wordItems = () => screen.findAllByRole('menuitem', { name: /as heard/ })

it('what a word list changed is undone word by word, as an edit of the line', async () => {
  const { user, server, reopen } = await openMenu()
  const items = await wordItems()
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Write “can the heart” as heard, not “Qandahar”',
    'Write “cable” as heard, not “Kabul”',
  ])
  await user.click(items[0] ?? document.body)
  await waitFor(() =>
    expect(server.edits.edits).toMatchObject([{ from: [0], lines: [{ text: 'can the heart and Kabul' }] }]),
  )
  await reopen()
  expect((await wordItems()).map(({ textContent }) => textContent)).toEqual(['Write “cable” as heard, not “Kabul”'])
})

it('undo brings the listed word back', async () => {
  const { user } = await openMenu()
  await user.click((await wordItems())[1] ?? document.body)
  expect(await screen.findByText('Qandahar and cable')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo: Line corrected' }))
  expect(await screen.findByText('Qandahar and Kabul')).toBeVisible()
})

it('a line without such words has no such entry', async () => {
  const { user } = renderEditingDesk(makeCorrectedCall())
  await user.click(await screen.findByRole('button', { name: 'Actions for the line at 0:20' }))
  expect(await screen.findByRole('menuitem', { name: 'Copy' })).toBeVisible()
  expect(within(document.body).queryByRole('menuitem', { name: /as heard/ })).toBeNull()
})
