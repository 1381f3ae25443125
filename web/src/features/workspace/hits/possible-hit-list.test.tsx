import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { noKeywords } from '#contract/keywords/keywords.ts'
import type { CategorizedPossibleHit } from '#contract/possible-hits.ts'
import { TestDesk } from '../../../testing/desk.tsx'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makePlayer, withPlayer } from '../../../testing/player.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { HitsPanel } from './hits-panel.tsx'

const segments = [
  makeSegment('the bomb is here', { start: 5, end: 9, words: [] }),
  makeSegment('bring the money', { start: 20, end: 24, speaker: 'Speaker B', channel: 1, words: [] }),
  makeSegment('no money no bomb', { start: 40, end: 44, words: [] }),
]
const recording = makeRecording(makeTranscript(segments, { detected_language: 'en' }))
const hits: CategorizedPossibleHit[] = [
  { start: 21, end: 22, channel: 1, keyword: 'weapon', heard: 'we pawn', probability: 0.96, category: 'threats' },
  { start: 41, end: 42, channel: 0, keyword: 'kandahar', heard: 'cand a har', probability: 0.85, category: 'custom' },
  { start: 5, end: 6, channel: 0, keyword: 'bomb', heard: 'bum', probability: 0.99, category: 'threats' },
]

beforeEach(() => {
  localStorage.clear()
  // The list renders only what fits its height, and happy-dom has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
})

/** Shows the recording's panel and opens the list of what was possibly said. */
async function open({ isSearched = true }: { isSearched?: boolean } = {}) {
  localStorage.setItem(
    `awaz_keywords:${someUser.id}`,
    JSON.stringify({ ...noKeywords(), threats: ['bomb'], intent: ['money'] }),
  )
  const path = `/api/recordings/${recording.id}`
  const requests = fakeServer({
    'GET /api/auth/keywords': () => failure(503, 'Away'),
    [`GET ${path}/notes`]: () => ({ body: { notes: [] } }),
    [`GET ${path}/reviewed-hits`]: () => ({ body: { reviewed: [] } }),
    [`GET ${path}/possible-hits`]: () => ({
      body: { transcription_id: null, is_searched: isSearched, hits: isSearched ? hits : [] },
    }),
  })
  const seek = vi.fn<(seconds: number) => void>()
  const play = vi.fn<() => void>()
  const desk = (
    <TestDesk recording={recording} translation={null}>
      <HitsPanel />
    </TestDesk>
  )
  const { user } = renderAt('/transcribe', withPlayer(desk, { ...makePlayer(seek), toggle: play }), someUser)
  const calls = () => requests.filter(({ key }) => key.endsWith('/possible-hits'))
  const head = await screen.findByRole('button', { name: /^Possibly said/ })
  expect(calls()).toEqual([])
  await user.click(head)
  await screen.findByText(isSearched ? /nearly wrote/ : /without looking/)
  return { user, seek, play, section: within(screen.getByRole('region', { name: 'Possibly said' })) }
}

it('lists the probable ones apart, without those that a line has by now, and counts them nowhere else', async () => {
  const { section } = await open()
  expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^0:21weapon96%written: .*we pawn/),
  ])
  expect(screen.getByRole('button', { name: /^Threats/ })).toHaveTextContent('2')
  expect(within(screen.getByRole('list', { name: 'Hits' })).getAllByRole('listitem')).toHaveLength(4)
})

it('plays from 2 s before', async () => {
  const { section, user, seek, play } = await open()
  await user.click(section.getByRole('button', { name: /weapon/ }))
  expect(seek).toHaveBeenCalledWith(19)
  expect(play).toHaveBeenCalledOnce()
})

it('shows as many of a category as is chosen', async () => {
  const { section, user } = await open()
  await user.click(section.getByRole('button', { name: 'Which are shown' }))
  await user.selectOptions(section.getByRole('combobox', { name: 'Custom' }), 'from 80%')
  await user.selectOptions(section.getByRole('combobox', { name: 'Threats' }), 'None')
  expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^0:41kandahar85%/),
  ])
})

it('says where nothing was looked for', async () => {
  const { section } = await open({ isSearched: false })
  expect(section.getByText(/made without looking for what was nearly heard/)).toBeVisible()
  expect(section.queryByRole('list')).toBeNull()
})
