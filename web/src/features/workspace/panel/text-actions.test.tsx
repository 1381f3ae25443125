import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { downloadFile } from '../../../shared/download.ts'
import { fakeServer } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { TextActions } from './text-actions.tsx'

vi.mock('../../../shared/download.ts', { spy: true })

const queries: (string | undefined)[] = []
const measured = makeTranscript([makeSegment('to the bridge', { unsure: ['bridge'] })])

beforeEach(() => {
  queries.length = 0
  vi.mocked(downloadFile).mockReset()
})

async function openMenu(transcription: TranscriptionResult) {
  const recording = makeRecording(transcription)
  fakeServer({
    [`GET /api/recordings/${recording.id}/export`]: ({ url }) => {
      queries.push(url.split('?')[1])
      return { body: 'file' }
    },
  })
  const { user } = renderAt(
    '/transcribe',
    <TextActions
      kind="transcription"
      text="plain text"
      recording={recording}
      repeatLabel="Retranscribe"
      isBusy={false}
      onRepeat={() => {}}
    />,
  )
  await user.click(screen.getByRole('button', { name: 'Download transcription' }))
  return user
}

it('downloads the plain text as it is', async () => {
  const user = await openMenu(measured)
  await user.click(await screen.findByRole('menuitem', { name: 'Text (.txt)' }))
  expect(downloadFile).toHaveBeenCalledWith('call-transcription.txt', 'plain text')
  expect(queries).toEqual([])
})

it('downloads a text with its uncertain words marked', async () => {
  const user = await openMenu(measured)
  await user.click(await screen.findByRole('menuitemradio', { name: 'Uncertain words marked [?]' }))
  await user.click(screen.getByRole('menuitem', { name: 'Text (.txt)' }))
  await waitFor(() => expect(queries).toEqual(['format=txt&doubt=mark']))
})

it('offers no choice of uncertain words where the transcript has no confidences', async () => {
  await openMenu(makeTranscript([{ start: 0, end: 1, text: 'hello' }]))
  expect(await screen.findByRole('menuitem', { name: 'Subtitles (.srt)' })).toBeVisible()
  expect(screen.queryByRole('menuitemradio')).toBeNull()
})
