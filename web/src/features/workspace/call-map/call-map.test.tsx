import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { noKeywords } from '#contract/keywords/keywords.ts'
import type { Note } from '#contract/notes.ts'
import { TestDesk } from '../../../testing/desk.tsx'
import { fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makePlayer, withPlayer } from '../../../testing/player.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { CallMap } from './call-map.tsx'

const moment = '2026-01-02T03:04:05.000Z'
const note: Note = {
  id: '0123456789abcdef01234569',
  time: 40,
  text: 'دا څوک دی',
  created_at: moment,
  updated_at: moment,
}
const segments = [
  makeSegment('دا بم دی', { start: 0, end: 6, language: 'ps', words: [] }),
  makeSegment('here is the bomb', { start: 10, end: 14, channel: 1, speaker: 'Speaker B', words: [] }),
  makeSegment('هو', { start: 12, end: 16 }),
]

async function renderMap(overrides: Parameters<typeof makeRecording>[1] = {}) {
  const recording = makeRecording(makeTranscript(segments), overrides)
  const path = `/api/recordings/${recording.id}`
  const asked: string[] = []
  fakeServer({
    [`GET ${path}/peaks`]: ({ url }) => {
      asked.push(new URL(url, 'http://localhost').search)
      return { body: { from: 0, to: 60, bins: 2, channels: ['AP8=', 'gAA='] } }
    },
    [`GET ${path}/notes`]: () => ({ body: { notes: [note] } }),
    [`GET ${path}/reviewed-hits`]: () => ({ body: { reviewed: [] } }),
    'GET /api/auth/keywords': () => ({ body: { keywords: { ...noKeywords(), threats: ['bomb', 'بم'] } } }),
  })
  const seek = vi.fn<(seconds: number) => void>()
  const { user } = renderAt(
    '/transcribe',
    withPlayer(
      <TestDesk recording={recording}>
        <CallMap />
      </TestDesk>,
      makePlayer(seek),
    ),
    someUser,
  )
  await screen.findByRole('button', { name: /^List of marks/ })
  return { user, seek, asked }
}

const slider = () => screen.getByRole('slider', { name: 'Position on the call map' })
const scrollBar = () => screen.queryByRole('scrollbar', { name: 'Shown part of the call map' })

test('tells where playback is, who speaks and what', async () => {
  await renderMap()
  expect(slider()).toHaveAttribute('aria-valuetext', '0:00 of 1:00, Left Channel: دا بم دی')
  expect(screen.getByRole('slider', { name: 'Position in the recording' })).toBeVisible()
})

test('arrows seek; plus and minus zoom, and zero shows the whole recording', async () => {
  const { user, seek } = await renderMap()
  slider().focus()
  await user.keyboard('{ArrowRight}{End}')
  expect(seek.mock.calls).toEqual([[3], [60]])
  expect(scrollBar()).toBeNull()
  await user.keyboard('+')
  expect(scrollBar()).toHaveAttribute('aria-valuetext', '0:00 – 0:30')
  await user.keyboard('+-')
  expect(scrollBar()).toHaveAttribute('aria-valuetext', '0:00 – 0:30')
  await user.keyboard('0')
  expect(scrollBar()).toBeNull()
})

test('keys of the browser are left to it', async () => {
  const { user } = await renderMap()
  slider().focus()
  await user.keyboard('{Control>}+{/Control}')
  expect(scrollBar()).toBeNull()
})

test('buttons zoom, and the zoomed part scrolls by keyboard', async () => {
  const { user } = await renderMap()
  expect(screen.getByRole('button', { name: 'Zoom out' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Zoom in' }))
  scrollBar()?.focus()
  await user.keyboard('{ArrowRight}')
  expect(scrollBar()).toHaveAttribute('aria-valuetext', '0:03 – 0:33')
  await user.keyboard('{End}')
  expect(scrollBar()).toHaveAttribute('aria-valuetext', '0:30 – 1:00')
  await user.click(screen.getByRole('button', { name: 'Show the whole recording' }))
  expect(scrollBar()).toBeNull()
})

test('lists what the map shows besides speech, each a button that seeks', async () => {
  const { user, seek } = await renderMap()
  await user.click(await screen.findByRole('button', { name: 'List of marks (4)' }))
  const list = screen.getByRole('list', { name: 'Marks on the call map' })
  const marks = within(list).getAllByRole('button')
  expect(marks.map((mark) => mark.textContent)).toEqual([
    '0:00 · Threats: بم · Speaker A',
    '0:10 · Threats: bomb · Speaker B',
    '0:12 – 0:14 · Talk-over',
    '0:40 · Note: دا څوک دی',
  ])
  await user.click(within(list).getByRole('button', { name: /Note/ }))
  expect(seek).toHaveBeenCalledExactlyOnceWith(40)
})

test('arrows move in the list, and Escape closes it', async () => {
  const { user, seek } = await renderMap()
  const toggle = await screen.findByRole('button', { name: 'List of marks (4)' })
  toggle.focus()
  await user.keyboard('{Enter}{Tab}{ArrowDown}{ArrowDown}{Enter}')
  expect(seek).toHaveBeenCalledExactlyOnceWith(12)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('list', { name: 'Marks on the call map' })).toBeNull()
  expect(toggle).toHaveFocus()
})

test('the list closes when the focus goes elsewhere', async () => {
  const { user } = await renderMap()
  await user.click(await screen.findByRole('button', { name: 'List of marks (4)' }))
  await user.click(screen.getByRole('button', { name: 'Zoom in' }))
  expect(screen.queryByRole('list', { name: 'Marks on the call map' })).toBeNull()
})

test('asks for the whole recording once, and for a part where that is finer', async () => {
  const { user, asked } = await renderMap({ duration: 3600 })
  expect(asked).toEqual(['?from=0&to=3600&bins=4096'])
  slider().focus()
  await user.keyboard('++')
  expect(asked.slice(1)).toContain('?from=0&to=900&bins=4096')
})

test('a recording of a few seconds cannot be zoomed', async () => {
  await renderMap({ duration: 8 })
  expect(screen.queryByRole('button', { name: 'Zoom in' })).toBeNull()
})

test.each([
  [true, '2'],
  [false, '1'],
])('has a lane for each channel: stereo %s', async (isStereo, lanes) => {
  await renderMap({ is_stereo: isStereo })
  expect(screen.getByRole('group', { name: 'Call map' })).toHaveAttribute('data-lanes', lanes)
})
