import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording } from '../../../testing/transcripts.ts'
import { PlayerContext } from './player-context.ts'
import { PlayerBar } from './player.tsx'
import { SeekWave } from './seek-wave.tsx'
import { useAudioPlayer } from './use-audio-player.ts'

const recording = makeRecording(null)
const bars = Array.from({ length: 50 }, (_, index) => index / 50)

beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})

const button = (name: string) => screen.getByRole('button', { name })
const position = () => screen.getByRole('slider', { name: 'Position in the recording' })
const volume = () => screen.getByRole('slider', { name: 'Volume' })

function Player() {
  const player = useAudioPlayer(recording.duration)
  return (
    <PlayerContext value={player}>
      <PlayerBar recordingId={recording.id} map={<SeekWave peaks={[bars, bars]} />}>
        {null}
      </PlayerBar>
    </PlayerContext>
  )
}

function show() {
  const { user, container } = renderAt('/transcribe', <Player />, someUser)
  const audio = container.querySelector('audio')
  if (!audio) throw new Error('The player has no audio')
  return { user, audio }
}

it('plays the audio of the recording, and pauses it', async () => {
  const { user, audio } = show()
  expect(audio).toHaveAttribute('src', `/api/audio/${recording.id}`)
  await user.click(button('Play'))
  expect(HTMLMediaElement.prototype.play).toHaveBeenCalledOnce()
  fireEvent.play(audio)
  const pause = vi.spyOn(audio, 'pause').mockReturnValue()
  vi.spyOn(HTMLMediaElement.prototype, 'paused', 'get').mockReturnValue(false)
  await user.click(button('Pause'))
  expect(pause).toHaveBeenCalledOnce()
  fireEvent.pause(audio)
  expect(button('Play')).toBeVisible()
})

it('only logs that playing failed', async () => {
  const refusal = new DOMException('not allowed', 'NotAllowedError')
  vi.mocked(HTMLMediaElement.prototype.play).mockRejectedValue(refusal)
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { user } = show()
  await user.click(button('Play'))
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith('Playing failed', refusal))
  expect(screen.queryByRole('alert')).toBeNull()
})

it('says that the sound is missing on the server, until it is there again', async () => {
  const calls = fakeServer({ [`HEAD /api/audio/${recording.id}`]: () => ({ status: 404, body: {} }) })
  const load = vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue()
  const { audio } = show()
  expect(screen.queryByRole('status')).toBeNull()
  fireEvent.error(audio)
  expect(await screen.findByRole('status')).toHaveTextContent(
    'The sound of this recording is missing on the server. Its texts can be used all the same.',
  )
  expect(screen.queryByRole('alert')).toBeNull()
  expect(calls.map(({ key }) => key)).toEqual([`HEAD /api/audio/${recording.id}`])
  expect(load).toHaveBeenCalledOnce()
  fireEvent.loadedMetadata(audio)
  expect(screen.queryByRole('status')).toBeNull()
})

it('says nothing of the sound where playing fails for another reason', async () => {
  const calls = fakeServer({ [`HEAD /api/audio/${recording.id}`]: () => ({ status: 200, body: {} }) })
  const { audio } = show()
  fireEvent.error(audio)
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  expect(screen.queryByRole('status')).toBeNull()
})

it('skips 10 seconds forward and back', async () => {
  const { user, audio } = show()
  await user.click(button('Forward 10 seconds'))
  await user.click(button('Forward 10 seconds'))
  expect(audio.currentTime).toBe(20)
  await user.click(button('Back 10 seconds'))
  expect(position()).toHaveAttribute('aria-valuenow', '10')
})

describe('the progress bar', () => {
  it('seeks to where it is clicked', () => {
    const { audio } = show()
    vi.spyOn(position(), 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 200, 20))
    position().setPointerCapture = () => {}
    fireEvent.pointerDown(position(), { clientX: 150, pointerId: 1 })
    expect(position()).toHaveAttribute('aria-valuenow', '15')
    expect(audio.currentTime).toBe(15)
  })

  it('is a waveform of 50 bars for each channel', () => {
    show()
    expect([...position().querySelectorAll('g')].map((lane) => lane.querySelectorAll('rect').length)).toEqual([50, 50])
  })
})

describe('the volume', () => {
  it('goes from 0 to 1 in steps of 0.01, starts at 0.8 and is kept', async () => {
    const { user, audio } = show()
    expect(audio.volume).toBe(0.8)
    expect(volume()).toHaveAttribute('aria-valuemin', '0')
    expect(volume()).toHaveAttribute('aria-valuemax', '1')
    expect(volume()).toHaveAttribute('aria-valuenow', '0.8')
    volume().focus()
    await user.keyboard('{ArrowRight}')
    expect(volume()).toHaveAttribute('aria-valuenow', '0.81')
    expect(audio.volume).toBe(0.81)
    expect(JSON.parse(localStorage.getItem('awaz_settings') ?? '')).toMatchObject({ audio: { volume: 0.81 } })
  })

  it('is muted, and back as it was', async () => {
    const { user, audio } = show()
    await user.click(button('Mute'))
    expect(audio.muted).toBe(true)
    expect(volume()).toHaveAttribute('aria-valuenow', '0')
    await user.click(button('Unmute'))
    expect(audio.muted).toBe(false)
    expect(volume()).toHaveAttribute('aria-valuenow', '0.8')
  })
})

it('plays at the speed of the settings, 1× at first', async () => {
  const { user, audio } = show()
  await user.click(button('Playback speed 1×'))
  await user.click(await screen.findByRole('menuitem', { name: '1.5×' }))
  expect(audio.playbackRate).toBe(1.5)
})
