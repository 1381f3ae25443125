import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { captureDownloads } from '../../../testing/downloads.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording } from '../../../testing/transcripts.ts'
import { TextActions } from './text-actions.tsx'

const onRepeat = vi.fn<() => void>()

beforeEach(() => {
  onRepeat.mockReset()
})

function renderActions(props: { targetLanguage?: string; isBusy?: boolean } = {}) {
  const { targetLanguage, isBusy = false } = props
  return renderAt(
    '/transcribe',
    <TextActions
      kind={targetLanguage ? 'translation' : 'transcription'}
      getText={() => '[00:00:03] Left Channel: hello'}
      recording={makeRecording(null)}
      repeatLabel="Retranscribe"
      isBusy={isBusy}
      onRepeat={onRepeat}
      {...(targetLanguage && { targetLanguage })}
    />,
  )
}

it('downloads the text as .txt', async () => {
  const downloads = captureDownloads()
  const { user } = renderActions()
  await user.click(screen.getByRole('button', { name: 'Download transcription as .txt' }))
  expect(downloads).toMatchObject([{ name: 'call-transcription.txt' }])
  expect(await downloads[0]?.content.text()).toBe('[00:00:03] Left Channel: hello')
})

it('names the file of a translation by its language', async () => {
  const downloads = captureDownloads()
  const { user } = renderActions({ targetLanguage: 'en' })
  await user.click(screen.getByRole('button', { name: 'Download translation as .txt' }))
  expect(downloads).toMatchObject([{ name: 'call-en.txt' }])
})

it('copies the text, and says so', async () => {
  vi.stubGlobal('isSecureContext', true)
  const { user } = renderActions()
  await user.click(screen.getByRole('button', { name: 'Copy transcription' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe('[00:00:03] Left Channel: hello')
})

it('repeats, but not while work is going on', async () => {
  const { user } = renderActions()
  await user.click(screen.getByRole('button', { name: 'Retranscribe' }))
  expect(onRepeat).toHaveBeenCalledOnce()
})

it('cannot repeat while work is going on', () => {
  renderActions({ isBusy: true })
  expect(screen.getByRole('button', { name: 'Retranscribe' })).toBeDisabled()
})
