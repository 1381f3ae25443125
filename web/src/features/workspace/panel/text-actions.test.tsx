import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { copyText } from '../../../shared/clipboard.ts'
import { downloadFile } from '../../../shared/download.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording } from '../../../testing/transcripts.ts'
import { TextActions } from './text-actions.tsx'

vi.mock('../../../shared/download.ts', { spy: true })
vi.mock('../../../shared/clipboard.ts', { spy: true })

const onRepeat = vi.fn<() => void>()

beforeEach(() => {
  vi.mocked(downloadFile).mockReset()
  vi.mocked(copyText).mockReset().mockResolvedValue()
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
  const { user } = renderActions()
  await user.click(screen.getByRole('button', { name: 'Download transcription as .txt' }))
  expect(downloadFile).toHaveBeenCalledWith('call-transcription.txt', '[00:00:03] Left Channel: hello')
})

it('names the file of a translation by its language', async () => {
  const { user } = renderActions({ targetLanguage: 'en' })
  await user.click(screen.getByRole('button', { name: 'Download translation as .txt' }))
  expect(downloadFile).toHaveBeenCalledWith('call-en.txt', expect.any(String))
})

it('copies the text, and says so', async () => {
  const { user } = renderActions()
  await user.click(screen.getByRole('button', { name: 'Copy transcription' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  expect(copyText).toHaveBeenCalledWith('[00:00:03] Left Channel: hello')
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
