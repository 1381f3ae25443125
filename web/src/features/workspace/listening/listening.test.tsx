import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { someUser } from '../../../testing/fake-server.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { captureDownloads } from '../../../testing/downloads.ts'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const first = { ...makeSegment('is the bridge open'), start: 2, end: 4 }
const second = { ...makeSegment('it is'), start: 6, end: 8 }
const recording = { ...makeRecording(makeTranscript([first, second])), duration: 30 }

let isPaused = true
beforeEach(() => {
  isPaused = true
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

async function show() {
  const view = await renderDesk(recording)
  const audio = view.container.querySelector('audio')
  if (!audio) throw new Error('The desk has no audio')
  const row = await screen.findByText('is the bridge open')
  return { ...view, audio, row }
}

/** Plays to a time, as the browser reports it. */
async function playTo(audio: HTMLAudioElement, seconds: number, expected: () => void) {
  audio.currentTime = seconds
  await waitFor(expected)
}

describe('the keys of listening', () => {
  it('F8 plays the line that is edited and stops at its end, while it is typed', async () => {
    const { user, audio, row } = await show()
    await user.dblClick(row)
    await user.keyboard('{F8}')
    expect([audio.currentTime, isPaused]).toEqual([2, false])
    await playTo(audio, 4.01, () => expect(isPaused).toBe(true))
    expect(audio.currentTime).toBe(4)
  })

  it('F2 goes back two seconds, and F6 and F7 change the speed, with the pitch kept', async () => {
    const { user, audio, row } = await show()
    await user.dblClick(row)
    audio.currentTime = 7
    fireEvent.timeUpdate(audio)
    await user.keyboard('{F2}')
    expect(audio.currentTime).toBe(5)
    await user.keyboard('{F7}{F7}')
    expect(audio.playbackRate).toBe(1.5)
    await user.keyboard('{F6}{F6}{F6}{F6}{F6}')
    expect(audio.playbackRate).toBe(0.5)
    await user.keyboard('{F7}{F7}{F7}{F7}{F7}{F7}{F7}{F7}{F7}')
    expect(audio.playbackRate).toBe(3)
    expect(audio.preservesPitch).toBe(true)
  })

  it('Shift F8 repeats the line after the pause until it is pressed again', async () => {
    const { user, audio, row } = await show()
    await user.dblClick(row)
    await user.keyboard('{Shift>}{F8}{/Shift}')
    expect(audio.currentTime).toBe(2)
    await playTo(audio, 4, () => expect(isPaused).toBe(true))
    expect(audio.currentTime).toBe(2)
    await waitFor(() => expect(isPaused).toBe(false))
    expect(screen.getByRole('button', { name: 'Stop repeating 0:02 – 0:04' })).toBeVisible()
    await user.keyboard('{Shift>}{F8}{/Shift}')
    expect(screen.queryByRole('button', { name: /^Stop repeating/ })).toBeNull()
  })

  it('F9 sets A, then B, and repeats what is between them', async () => {
    const { user, audio } = await show()
    audio.currentTime = 3
    fireEvent.timeUpdate(audio)
    await user.keyboard('{F9}')
    expect(screen.getByRole('button', { name: 'Forget the point A 0:03' })).toBeVisible()
    audio.currentTime = 7
    fireEvent.timeUpdate(audio)
    await user.keyboard('{F9}')
    expect(audio.currentTime).toBe(3)
    expect(screen.getByRole('button', { name: 'Stop repeating 0:03 – 0:07' })).toBeVisible()
    await user.keyboard('{F9}')
    expect(screen.queryByRole('button', { name: /^Stop repeating/ })).toBeNull()
  })

  it('Alt S goes to the next speech, and opens it where a line is edited', async () => {
    const { user, audio, row } = await show()
    await user.dblClick(row)
    audio.currentTime = 2.5
    fireEvent.timeUpdate(audio)
    await user.keyboard('{Alt>}s{/Alt}')
    expect(audio.currentTime).toBe(6)
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Text of the line at 0:06' })).toHaveFocus())
  })
})

it('a key is changed in the dialog, kept for this person, and works', async () => {
  const { user, audio } = await show()
  await user.click(screen.getByRole('button', { name: 'Listening' }))
  await user.click(await screen.findByRole('button', { name: 'Keys and pedals…' }))
  await user.click(await screen.findByRole('button', { name: /^Key for “Back 2 seconds”/ }))
  await user.keyboard('b')
  expect(await screen.findByText(/needed for typing/)).toBeVisible()
  await user.keyboard('{F8}')
  expect(await screen.findByText('F8 is in use: Play the line, to its end.')).toBeVisible()
  await user.keyboard('{F3}')
  expect(await screen.findByRole('button', { name: 'Key for “Back 2 seconds”: F3. Change' })).toBeVisible()
  const stored = JSON.parse(localStorage.getItem('awaz_listening') ?? '{}') as Record<string, unknown>
  expect(stored[someUser.id]).toMatchObject({ keys: { backTwo: 'F3' } })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Keys and pedals' })).toBeNull())
  audio.currentTime = 9
  fireEvent.timeUpdate(audio)
  await user.keyboard('{F2}')
  expect(audio.currentTime).toBe(9)
  await user.keyboard('{F3}')
  expect(audio.currentTime).toBe(7)
})

describe('a clip', () => {
  const clipKey = `GET /api/recordings/${recording.id}/clip`

  it('is saved as an MP3 file of one channel, with its lines, and the format is kept', async () => {
    const stereo = { ...recording, channels: 2 }
    const asked: string[] = []
    const downloads = captureDownloads()
    const { user } = await renderDesk(stereo, {
      [clipKey]: ({ url }) => {
        asked.push(new URL(url, location.href).search)
        return { body: 'sound' }
      },
    })
    await user.click(await screen.findByText('is the bridge open'))
    await user.click(screen.getByRole('button', { name: 'Listening' }))
    const clip = within(await screen.findByRole('region', { name: 'Clip' }))
    await user.click(clip.getByRole('radio', { name: 'MP3' }))
    await user.click(clip.getByRole('radio', { name: 'Right' }))
    await user.click(clip.getByRole('button', { name: 'Save clip' }))
    await waitFor(() => expect(downloads.map(({ name }) => name)).toEqual(['call 0.02-0.04.mp3', 'call 0.02-0.04.txt']))
    expect(asked).toEqual(['?from=2&to=4&format=mp3&channel=right'])
    const stored = JSON.parse(localStorage.getItem('awaz_listening') ?? '{}') as Record<string, unknown>
    expect(stored[someUser.id]).toMatchObject({ clipFormat: 'mp3' })
  })

  it('of a recording that is no WAV file is made by the server, and says why it could not be', async () => {
    const mono = { ...recording, channels: 1 }
    const { user } = await renderDesk(mono, {
      [`GET /api/audio/${recording.id}`]: () => ({ body: 'no WAV file' }),
      [clipKey]: () => ({ status: 422, body: { error: 'This recording is incomplete.', code: 'unreadable_audio' } }),
    })
    await user.click(await screen.findByText('is the bridge open'))
    await user.click(screen.getByRole('button', { name: 'Listening' }))
    const clip = within(await screen.findByRole('region', { name: 'Clip' }))
    expect(clip.queryByRole('radio', { name: 'Right' })).toBeNull()
    await user.click(clip.getByRole('button', { name: 'Save clip' }))
    expect(await screen.findByText('This recording is incomplete.')).toBeVisible()
  })
})

it('plays as before where the browser has no audio graph, and says that the sound cannot be changed', async () => {
  const { user, audio } = await show()
  await user.click(screen.getByRole('button', { name: 'Listening' }))
  expect(await screen.findByText(/cannot change the sound/)).toBeVisible()
  expect(screen.getByRole('switch', { name: /^Telephone band/ })).toBeDisabled()
  await user.keyboard('{F4}')
  expect(isPaused).toBe(false)
  expect(audio.currentTime).toBe(0)
})
