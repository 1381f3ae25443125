import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { HeardChannels } from '#contract/heard.ts'
import type { LineMark } from '#contract/line-marks.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { offline, someUser } from '../../../testing/fake-server.ts'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const first = { ...makeSegment('is the bridge open'), start: 2, end: 4 }
const second = { ...makeSegment('it is'), start: 6, end: 8 }
const third = { ...makeSegment('good', { confidence: 0.2 }), start: 9, end: 10 }
const recording = { ...makeRecording(makeTranscript([first, second, third])), duration: 30 }
const path = `/api/recordings/${recording.id}`
const nadia = { id: someUser.id, name: 'Nadia' }
const omid = { id: 'e'.repeat(24), name: 'Omid' }
const at = '2026-11-01T10:00:00.000Z'

let isPaused = true
let heard: HeardChannels
let marks: LineMark[]

beforeEach(() => {
  isPaused = true
  heard = []
  marks = []
  sessionStorage.clear()
  vi.spyOn(HTMLMediaElement.prototype, 'paused', 'get').mockImplementation(() => isPaused)
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function play(this: HTMLMediaElement) {
    isPaused = false
    fireEvent.play(this)
    return Promise.resolve()
  })
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function pause(this: HTMLMediaElement) {
    isPaused = true
    fireEvent.pause(this)
  })
})

type Handlers = Parameters<typeof renderDesk>[1]

async function show(handlers: Handlers = {}) {
  const view = await renderDesk(recording, {
    [`GET ${path}/heard`]: () => ({ body: { channels: heard } }),
    [`POST ${path}/heard`]: ({ body }) => ({ body }),
    [`GET ${path}/line-marks`]: () => ({ body: { marks } }),
    [`PUT ${path}/line-marks`]: () => ({ body: { marks: [] } }),
    ...handlers,
  })
  const audio = view.container.querySelector('audio')
  if (!audio) throw new Error('The desk has no audio')
  await waitFor(() => rowOf('is the bridge open'))
  return { ...view, audio }
}

function rowOf(text: string) {
  const rows = screen.getAllByText(text).flatMap((each) => each.closest<HTMLElement>('[data-line]') ?? [])
  const [row] = rows
  if (!row) throw new Error(`No row: ${text}`)
  return row
}

const mark = (text: string, line: { start: number; end: number }, part: Partial<LineMark>): LineMark => {
  return { start: line.start, end: line.end, text, verified: [], doubt: null, ...part }
}

describe('what is heard', () => {
  it('is shown in the margin of its lines', async () => {
    heard = [[[5900, 8100]]]
    await show()
    expect(await within(rowOf('it is')).findByRole('img', { name: 'Heard' })).toBeVisible()
    expect(within(rowOf('is the bridge open')).queryByRole('img')).toBeNull()
  })

  it('is what was played without a jump, sent when playing stops', async () => {
    const { audio, user, sent, calls } = await show()
    await user.keyboard('{F4}')
    await playThrough(audio, 1.95, 4.05)
    audio.currentTime = 20
    fireEvent.seeking(audio)
    await user.keyboard('{F4}')
    const body = (await sent(`POST ${path}/heard`)) as { channels: HeardChannels }
    const [[start = 0, end = 0] = [], ...others] = body.channels[0] ?? []
    // The position is read 40 times a second: at three times the speed, every 75 ms of the recording.
    expect(start).toBeGreaterThanOrEqual(1950)
    expect(start).toBeLessThan(2150)
    expect(end).toBeGreaterThan(3850)
    expect(end).toBeLessThanOrEqual(4050)
    expect(others).toEqual([])
    expect(await within(rowOf('is the bridge open')).findByRole('img', { name: 'Heard' })).toBeVisible()
    expect(calls.filter(({ key }) => key === `POST ${path}/heard`)).toHaveLength(1)
  })

  it('is nothing while the sound is off', async () => {
    const { audio, user, calls } = await show()
    await user.keyboard('m{F4}')
    await playThrough(audio, 1.95, 4.05)
    await user.keyboard('{F4}')
    await waitFor(() => expect(isPaused).toBe(true))
    expect(calls.filter(({ key }) => key === `POST ${path}/heard`)).toEqual([])
  })

  it('stays in this tab while the server cannot be reached, and is sent when it can be', async () => {
    let isReachable = false
    const { audio, user, calls } = await show({
      [`POST ${path}/heard`]: ({ body }) => (isReachable ? { body } : offline()),
    })
    await user.keyboard('{F4}')
    await playThrough(audio, 1.95, 4.05)
    await user.keyboard('{F4}')
    const sends = () => calls.filter(({ key }) => key === `POST ${path}/heard`)
    await waitFor(() => expect(sends()).toHaveLength(1))
    await waitFor(() => expect(sessionStorage.getItem(`unsent_heard:${someUser.id}`)).toContain(recording.id))
    isReachable = true
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(sends()).toHaveLength(2))
    await waitFor(() => expect(sessionStorage.getItem(`unsent_heard:${someUser.id}`)).toBeNull())
  })

  it('H goes to the next line that was not, and makes it ready to play', async () => {
    heard = [[[1900, 4100]]]
    const { user, audio } = await show()
    await within(rowOf('is the bridge open')).findByRole('img', { name: 'Heard' })
    await user.keyboard('h')
    await waitFor(() => expect(rowOf('it is')).toHaveFocus())
    expect(audio.currentTime).toBe(6)
    await user.keyboard('{Alt>}h{/Alt}')
    await waitFor(() => expect(audio.currentTime).toBe(9))
  })
})

describe('a verified line', () => {
  it('names its readers in the margin, the second with a second check', async () => {
    marks = [
      mark('Is the bridge open?', first, { verified: [{ by: omid, at }] }),
      mark('it is', second, {
        verified: [
          { by: omid, at },
          { by: nadia, at },
        ],
      }),
    ]
    await show()
    expect(await screen.findByRole('img', { name: /^Verified by Omid, [^;]*$/ })).toBeVisible()
    expect(screen.getByRole('img', { name: /^Verified by Omid, .*; and by Nadia, / })).toBeVisible()
  })

  it('V verifies the line at hand at once and takes it back; Y goes on to the next', async () => {
    const { user, sent } = await show()
    await user.click(rowOf('is the bridge open'))
    await user.keyboard('v')
    expect(await within(rowOf('is the bridge open')).findByRole('img', { name: /^Verified by/ })).toBeVisible()
    const line = { start: 2, end: 4, text: 'is the bridge open' }
    expect(await sent(`PUT ${path}/line-marks`)).toMatchObject({ lines: [line], is_verified: true })
    await user.keyboard('v')
    await waitFor(() => expect(within(rowOf('is the bridge open')).queryByRole('img')).toBeNull())
    await user.keyboard('y')
    await waitFor(() => expect(rowOf('it is')).toHaveFocus())
  })

  it('can be verified while it is typed', async () => {
    const { user, sent } = await show()
    await user.dblClick(rowOf('it is'))
    await user.keyboard('{Alt>}v{/Alt}')
    expect(await sent(`PUT ${path}/line-marks`)).toMatchObject({ lines: [{ text: 'it is' }], is_verified: true })
  })

  it('holds for the words as they are typed, not for those before', async () => {
    marks = [mark('it is', second, { verified: [{ by: nadia, at }] })]
    const { user, sent } = await show({ [`PUT ${path}/lines`]: () => offline() })
    await user.dblClick(rowOf('it is'))
    await user.keyboard(' not{Alt>}v{/Alt}')
    expect(await sent(`PUT ${path}/line-marks`)).toMatchObject({ lines: [{ text: 'it is not' }], is_verified: true })
    await user.keyboard('{Enter}')
    expect(await within(rowOf('it is not')).findByRole('img', { name: /^Verified by/ })).toBeVisible()
  })

  it('is not said of a line whose words were all deleted', async () => {
    const { user, calls } = await show()
    await user.dblClick(rowOf('it is'))
    await user.clear(screen.getByRole('textbox', { name: /^Text of the line at/ }))
    await user.keyboard('{Alt>}v{/Alt}')
    expect(await screen.findByRole('alert')).toHaveTextContent(/^A line must not be empty/)
    expect(calls.filter(({ key }) => key === `PUT ${path}/line-marks`)).toEqual([])
  })

  it('is sent again where the server cannot be reached, and shown meanwhile', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 })
    try {
      let attempts = 0
      const { user } = await show({
        [`PUT ${path}/line-marks`]: () => ((attempts += 1) < 2 ? offline() : { body: { marks: [] } }),
      })
      await user.click(rowOf('it is'))
      await user.keyboard('v')
      await vi.waitFor(() => expect(attempts).toBe(1))
      expect(within(rowOf('it is')).getByRole('img', { name: /^Verified by/ })).toBeVisible()
      await vi.advanceTimersByTimeAsync(5100)
      await vi.waitFor(() => expect(attempts).toBe(2))
    } finally {
      vi.useRealTimers()
    }
  })

  it('stays in this tab while the server cannot be reached, and the next page sends it', async () => {
    const kept = () => sessionStorage.getItem(`unsent_marks:${someUser.id}`)
    const { user, unmount } = await show({ [`PUT ${path}/line-marks`]: () => offline() })
    await user.click(rowOf('it is'))
    await user.keyboard('v')
    await waitFor(() => expect(kept()).toContain(recording.id))
    unmount()
    const { sent } = await show()
    expect(await sent(`PUT ${path}/line-marks`)).toMatchObject({
      lines: [{ start: 6, end: 8, text: 'it is' }],
      is_verified: true,
    })
    expect(within(rowOf('it is')).getByRole('img', { name: /^Verified by/ })).toBeVisible()
    await waitFor(() => expect(kept()).toBeNull())
  })

  it('that the server refuses is taken back with its reason', async () => {
    const { user } = await show({
      [`PUT ${path}/line-marks`]: () => ({ status: 409, body: { error: 'Too many lines', code: 'conflict' } }),
    })
    await user.click(rowOf('it is'))
    await user.keyboard('v')
    expect(await screen.findByText('Too many lines')).toBeVisible()
    await waitFor(() => expect(within(rowOf('it is')).queryByRole('img')).toBeNull())
  })
})

it('the head of the desk says how much was read', async () => {
  heard = [[[0, 10_000]]]
  marks = [mark('it is', second, { verified: [{ by: omid, at }] })]
  await show()
  const name = '100% of the lines heard by you, 33% verified'
  expect(await screen.findByRole('img', { name })).toHaveTextContent('100% heard, 33% verified')
})

describe('doubt', () => {
  const uncertainCount = () => screen.getByRole('button', { name: /uncertain/ }).textContent

  it('D says that a line is uncertain, and that it is not', async () => {
    const { user, sent } = await show()
    expect(uncertainCount()).toContain('1')
    await user.click(rowOf('it is'))
    await user.keyboard('d')
    expect(await within(rowOf('it is')).findByText('uncertain')).toBeVisible()
    expect(uncertainCount()).toContain('2')
    expect(await sent(`PUT ${path}/line-marks`)).toMatchObject({ doubt: { is_uncertain: true, reason: '' } })
    await user.keyboard('d')
    await waitFor(() => expect(uncertainCount()).toContain('1'))
  })

  it('is given a reason from the menu of the line', async () => {
    const { user, sent } = await show()
    await user.click(rowOf('it is'))
    await user.click(within(rowOf('it is')).getByRole('button', { name: /^Actions for the line/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Uncertain, because…' }))
    await user.type(await screen.findByRole('textbox', { name: 'Why it is uncertain' }), 'a name?{Enter}')
    expect(await sent(`PUT ${path}/line-marks`)).toMatchObject({ doubt: { is_uncertain: true, reason: 'a name?' } })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('ends with a verification', async () => {
    const { user } = await show()
    await user.click(rowOf('good'))
    await user.keyboard('v')
    await waitFor(() => expect(uncertainCount()).toContain('0'))
  })

  it('says who doubts, and why', async () => {
    marks = [mark('it is', second, { doubt: { is_uncertain: true, reason: 'a name?', by: omid, at } })]
    await show()
    expect(await within(rowOf('it is')).findByText('uncertain')).toHaveAttribute(
      'title',
      expect.stringMatching(/^Uncertain: a name\? \(Omid, /),
    )
  })
})

/** Plays from one time to another at three times the speed of the browser's clock, which the tracking compares with. */
async function playThrough(audio: HTMLAudioElement, from: number, to: number) {
  audio.currentTime = from
  fireEvent.seeking(audio)
  const begin = performance.now()
  audio.playbackRate = 3
  await act(async () => {
    await waitFor(
      () => {
        audio.currentTime = Math.min(to, from + ((performance.now() - begin) / 1000) * 3)
        if (audio.currentTime < to) throw new Error('It plays')
      },
      { interval: 10, timeout: 5000 },
    )
  })
}
