import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderDesk } from '../../../../testing/desk-screen.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../../testing/transcripts.ts'
import type { HidDevice } from './web-hid.ts'

/** A fake WebHID device: machines that run tests have no such hardware. */
class Pedal extends EventTarget implements HidDevice {
  opened = false
  productName = 'VEC Infinity'
  open = vi.fn(() => {
    this.opened = true
    return Promise.resolve()
  })
  close = () => Promise.resolve()
  forget = vi.fn(() => Promise.resolve())

  /** Reports which pedals are pressed, as bits. */
  report(bits: number) {
    const event = Object.assign(new Event('inputreport'), {
      device: this,
      data: new DataView(new Uint8Array([bits]).buffer),
    })
    act(() => void this.dispatchEvent(event))
  }
}

const recording = {
  ...makeRecording(makeTranscript([{ ...makeSegment('is it open'), start: 2, end: 4 }])),
  duration: 30,
}
let pedal: Pedal
let allowed: Pedal[]
let isPaused: boolean

beforeEach(() => {
  pedal = new Pedal()
  allowed = []
  isPaused = true
  const hid = Object.assign(new EventTarget(), {
    getDevices: () => Promise.resolve(allowed),
    requestDevice: () => Promise.resolve([pedal]),
  })
  Object.defineProperty(navigator, 'hid', { value: hid, configurable: true })
  vi.spyOn(HTMLMediaElement.prototype, 'paused', 'get').mockImplementation(() => isPaused)
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function play(this: HTMLMediaElement) {
    isPaused = false
    this.dispatchEvent(new Event('play'))
    return Promise.resolve()
  })
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function pause(this: HTMLMediaElement) {
    isPaused = true
    this.dispatchEvent(new Event('pause'))
  })
})

afterEach(() => {
  Reflect.deleteProperty(navigator, 'hid')
})

async function openDialog() {
  const { user, container } = await renderDesk(recording)
  await user.click(screen.getByRole('button', { name: 'Listening' }))
  await user.click(await screen.findByRole('button', { name: 'Keys and pedals…' }))
  await screen.findByRole('dialog', { name: 'Keys and pedals' })
  return { user, container }
}

it('a pedal that was allowed before plays while it is down, and the left one goes back two seconds', async () => {
  allowed = [pedal]
  const { container } = await renderDesk(recording)
  await waitFor(() => expect(pedal.open).toHaveBeenCalled())
  pedal.report(0b010)
  expect(isPaused).toBe(false)
  pedal.report(0)
  expect(isPaused).toBe(true)
  const audio = container.querySelector('audio')
  if (!audio) throw new Error('The desk has no audio')
  audio.currentTime = 7
  act(() => void audio.dispatchEvent(new Event('timeupdate')))
  pedal.report(0b001)
  expect(audio.currentTime).toBe(5)
})

it('plays on after the pedal came up where that is chosen, until it goes down again', async () => {
  const { user } = await openDialog()
  await user.click(screen.getByRole('button', { name: 'Connect a pedal…' }))
  await user.click(await screen.findByRole('switch', { name: 'Play only while the pedal is down' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Keys and pedals' })).toBeNull())
  pedal.report(0b010)
  pedal.report(0)
  expect(isPaused).toBe(false)
  pedal.report(0b010)
  expect(isPaused).toBe(true)
})

it('is chosen for another action in the dialog, where a press does nothing but show which it is', async () => {
  const { user, container } = await openDialog()
  await user.click(screen.getByRole('button', { name: 'Connect a pedal…' }))
  pedal.report(0b1010)
  expect(isPaused).toBe(true)
  expect(await screen.findByText('Pedal 4')).toHaveAttribute('data-down')
  expect(screen.getByText('Pedal 1')).not.toHaveAttribute('data-down')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Pedal 4' }), 'Play or pause')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Pedal 2' }), 'Nothing')
  pedal.report(0)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Keys and pedals' })).toBeNull())
  pedal.report(0b010)
  expect(isPaused).toBe(true)
  pedal.report(0b1010)
  expect(container.querySelector('audio')?.paused).toBe(false)
})

it('is disconnected for good', async () => {
  const { user } = await openDialog()
  await user.click(screen.getByRole('button', { name: 'Connect a pedal…' }))
  await user.click(await screen.findByRole('button', { name: /^Disconnect .*VEC Infinity/u }))
  expect(pedal.forget).toHaveBeenCalled()
  expect(screen.queryByRole('combobox', { name: 'Pedal 1' })).toBeNull()
})

it('says what to do where another program holds the pedal', async () => {
  pedal.open.mockRejectedValue(new DOMException('Failed to open the device.', 'NotAllowedError'))
  const { user } = await openDialog()
  await user.click(screen.getByRole('button', { name: 'Connect a pedal…' }))
  expect(await screen.findByText(/^The pedal could not be opened\./)).toBeVisible()
})

it('has no part in the dialog where the browser has no WebHID', async () => {
  Reflect.deleteProperty(navigator, 'hid')
  await openDialog()
  expect(screen.queryByRole('region', { name: 'Foot pedal' })).toBeNull()
})
