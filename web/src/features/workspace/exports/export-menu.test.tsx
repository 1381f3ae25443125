import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { abortSessionWork } from '../../../shared/api/session-signal.ts'
import { captureDownloads } from '../../../testing/downloads.ts'
import { failure, fakeServer } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { DeskContext, type Desk } from '../state/desk-context.ts'
import { ExportMenu } from './export-menu.tsx'

const queries: string[] = []
let downloads: ReturnType<typeof captureDownloads>
const measured = makeTranscript([makeSegment('to the bridge', { unsure: ['bridge'] })])
const unmeasured = makeTranscript([{ start: 0, end: 1, text: 'hello' }])
const translation: Desk['translation'] = {
  transcription_id: measured.transcription_id,
  translated_text: 'x',
  original_text: 'x',
  source_language: 'ps',
  target_language: 'ur',
  num_speakers: 2,
  speaker_translations: [],
  segments: [],
  model: 'test',
}

beforeEach(() => {
  localStorage.clear()
  queries.length = 0
  downloads = captureDownloads()
})

function renderMenu(desk: Partial<Desk> = {}, answer: () => ReturnType<typeof failure> = () => ({ body: 'file' })) {
  const recording: RecordingDetails = makeRecording(measured)
  fakeServer({
    [`GET /api/recordings/${recording.id}/export`]: ({ url }) => {
      queries.push(url.split('?')[1] ?? '')
      return answer()
    },
  })
  const shared = { recording, transcription: measured, translation, ...desk } as Desk // what the menu reads of it
  return renderAt(
    '/transcribe',
    <DeskContext value={shared}>
      <ExportMenu />
    </DeskContext>,
  )
}

async function openMenu(...args: Parameters<typeof renderMenu>) {
  const { user } = renderMenu(...args)
  await user.click(screen.getByRole('button', { name: 'Export' }))
  return user
}

it('downloads a Word file with the translation, keywords and notes', async () => {
  const user = await openMenu()
  await user.click(await screen.findByRole('menuitem', { name: /^Word/ }))
  await waitFor(() => expect(downloads).toMatchObject([{ name: 'call-ur.docx' }]))
  expect(queries).toEqual(['format=docx&doubt=none&target_language=ur'])
})

it('leaves out what is not wanted, keeps the choice, and gives it to the print view', async () => {
  const user = await openMenu()
  for (const name of ['Translation to Urdu', 'Keywords marked', 'Notes', 'Technical data']) {
    await user.click(await screen.findByRole('menuitemcheckbox', { name }))
  }
  await user.click(screen.getByRole('menuitemradio', { name: 'Uncertain lines only' }))
  const print = screen.getByRole('menuitem', { name: /^Print or PDF/ })
  expect(print.getAttribute('href')).toBe(
    `/transcribe/print?recording=${measured.transcription_id}&doubt=only&notes=false&hits=false&facts=false`,
  )
  await user.click(screen.getByRole('menuitem', { name: /^Dialogue/ }))
  await waitFor(() => expect(downloads).toMatchObject([{ name: 'call.dialogue.txt' }]))
  expect(queries).toEqual(['format=dialogue&doubt=only&notes=false&hits=false&facts=false'])
  expect(JSON.parse(localStorage.getItem('awaz_export_options') ?? '')).toEqual({
    hasTranslation: false,
    hasHits: false,
    hasNotes: false,
    hasFacts: false,
    doubt: 'only',
  })
})

it('is used by keyboard alone', async () => {
  const user = await openMenu()
  const menu = await screen.findByRole('menu')
  within(menu)
    .getByRole('menuitem', { name: /^Print/ })
    .focus()
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await waitFor(() => expect(queries).toEqual(['format=dialogue&doubt=none&target_language=ur']))
})

it('offers no choice of uncertain words where the transcript has no confidences', async () => {
  localStorage.setItem('awaz_export_options', JSON.stringify({ doubt: 'only' }))
  const user = await openMenu({ transcription: unmeasured, translation: null })
  expect(screen.queryByRole('menuitemradio')).toBeNull()
  expect(screen.queryByRole('menuitemcheckbox', { name: /^Translation/ })).toBeNull()
  await user.click(screen.getByRole('menuitem', { name: /^Text/ }))
  await waitFor(() => expect(queries[0]).toMatch(/^format=txt&doubt=none/))
})

it('says why a file could not be written', async () => {
  const user = await openMenu({}, () => failure(503, 'The server is busy. Please try again in a few seconds.'))
  await user.click(await screen.findByRole('menuitem', { name: /^Word/ }))
  expect(await screen.findByText('The server is busy. Please try again in a few seconds.')).toBeVisible()
  expect(downloads).toEqual([])
})

it('waits while the server is busy, and says what to do where it stays so', async () => {
  let answers = 0
  const busy = (extra: object) => failure(429, 'Too many of your requests are being worked on.', extra)
  const user = await openMenu({}, () => {
    answers += 1
    if (answers === 1) return busy({ remaining_seconds: 0 })
    return answers === 2 ? { body: 'file' } : busy({ help: 'Wait until one of them is done, then try again.' })
  })
  await user.click(await screen.findByRole('menuitem', { name: /^Word/ }))
  await waitFor(() => expect(downloads).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Export' }))
  await user.click(await screen.findByRole('menuitem', { name: /^Text/ }))
  expect(await screen.findByText(/being worked on\. Wait until one of them is done, then try again\./)).toBeVisible()
  expect(downloads).toHaveLength(1)
})

it('says nothing of a file that is no longer wanted, as by signing out', async () => {
  const user = await openMenu({}, () => failure(503, 'The server is busy.', { remaining_seconds: 30 }))
  await user.click(await screen.findByRole('menuitem', { name: /^Word/ }))
  expect(await screen.findByText('Writing the file…')).toBeVisible()
  abortSessionWork()
  await waitFor(() => expect(screen.queryByText('Writing the file…')).toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
})

it('is not there before there is a transcript', () => {
  renderMenu({ transcription: null })
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
})
