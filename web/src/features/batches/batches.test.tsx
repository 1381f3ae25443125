import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { Batch } from '#contract/batches.ts'
import { captureDownloads } from '../../testing/downloads.ts'
import { languagesKey, makeLanguages } from '../../testing/desk-screen.tsx'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { BatchActions } from './batch-actions.tsx'
import { BatchProgress } from './batch-progress.tsx'

const selection = { ids: ['b'.repeat(24), 'c'.repeat(24)] }
const preview = {
  total: 2,
  checked: 2,
  transcriptions: 1,
  translations: 0,
  skipped: [{ reason: 'It was done already', count: 1 }],
}
const batch: Batch = {
  id: 'a'.repeat(24),
  state: 'running',
  transcribe: { language: 'ps', channel_languages: null },
  target_languages: ['en'],
  redo: false,
  total: 10,
  counts: { waiting: 4, running: 2, done: 3, failed: 1, skipped: 0, cancelled: 0 },
  created_at: '2026-01-02T03:04:05.000Z',
  finished_at: null,
}
const ended: Batch = {
  ...batch,
  state: 'done',
  counts: { ...batch.counts, waiting: 0, running: 0, done: 9 },
  finished_at: '2026-01-02T04:04:05.000Z',
}

function actions(handlers: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({ 'POST /api/batches/preview': () => ({ body: preview }), ...handlers })
  const screenOf = renderAt('/dashboard', <BatchActions selection={selection} count={2} />, someUser)
  const sent = (key: string) => calls.find((call) => call.key === key)?.body
  return { ...screenOf, calls, sent }
}

describe('the actions on a selection', () => {
  it('transcribe: say what is to be done and skipped, and start the batch', async () => {
    const { user, sent } = actions({ 'POST /api/batches': () => ({ status: 201, body: batch }) })
    await user.click(screen.getByRole('button', { name: 'Transcribe…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transcribe 2 recordings' }))
    expect(await dialog.findByText('1 transcription to be made.')).toBeVisible()
    expect(dialog.getByText('1 recording skipped: It was done already')).toBeVisible()
    await user.click(dialog.getByRole('checkbox', { name: 'Do again what is done already' }))
    await user.click(dialog.getByRole('button', { name: 'Start' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent('POST /api/batches')).toEqual({
      selection,
      transcribe: { language: 'ps', channel_languages: null },
      target_languages: [],
      redo: true,
    })
  })

  it('transcribe: by a model, with names and a number of speakers, where these are chosen', async () => {
    const models = ['Small', 'Large'].map((name) => {
      return { id: name.toLowerCase(), name, languages: ['ps', 'en'], detects_languages: true }
    })
    const { user, sent } = actions({
      'POST /api/batches': () => ({ status: 201, body: batch }),
      [languagesKey]: () => makeLanguages({}, models),
    })
    await user.click(screen.getByRole('button', { name: 'Transcribe…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transcribe 2 recordings' }))
    await user.click(await dialog.findByRole('combobox', { name: 'Speech Model' }))
    await user.click(await screen.findByRole('option', { name: 'Large' }))
    await user.click(dialog.getByRole('combobox', { name: 'Number of speakers' }))
    await user.click(await screen.findByRole('option', { name: '3' }))
    await user.click(dialog.getByRole('button', { name: 'Names likely to be heard' }))
    await user.type(await dialog.findByRole('combobox', { name: 'Names' }), 'Ahmad,Kandahar,')
    await user.click(dialog.getByRole('button', { name: 'Several voices on a channel' }))
    await user.click(await dialog.findByRole('switch', { name: 'Right Channel: several voices' }))
    await user.click(dialog.getByRole('button', { name: 'Start' }))
    await waitFor(() =>
      expect(sent('POST /api/batches')).toMatchObject({
        transcribe: {
          language: 'ps',
          model: 'large',
          names: ['Ahmad', 'Kandahar'],
          speaker_count: 3,
          split_voices: [false, true],
        },
      }),
    )
  })

  it('translate: need a language, and say why the server refuses', async () => {
    const refusal = failure(422, 'The active translation model cannot translate to French', { help: 'Choose another.' })
    const { user, sent } = actions({ 'POST /api/batches': () => refusal })
    await user.click(screen.getByRole('button', { name: 'Translate…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Translate 2 recordings' }))
    await user.click(dialog.getByRole('button', { name: 'Start' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent(/cannot translate to French Choose another\.$/)
    expect(sent('POST /api/batches')).toMatchObject({ transcribe: null, target_languages: ['en'] })
    await user.type(dialog.getByLabelText('Translate to', { selector: 'input' }), '{Backspace}')
    expect(dialog.getByRole('button', { name: 'Start' })).toBeDisabled()
  })

  it('download: ask for the formats and fetch one archive', async () => {
    const downloads = captureDownloads()
    const { user, sent } = actions({ 'POST /api/library/export': () => ({ body: 'archive' }) })
    await user.click(screen.getByRole('button', { name: 'Download…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Download 2 recordings' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Subtitles (.srt)' }))
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent('POST /api/library/export')).toEqual({ selection, formats: ['docx', 'srt'], target_languages: [] })
    expect(downloads).toHaveLength(1)
  })
})

describe('a download that waits for the server', () => {
  const key = 'POST /api/library/export'

  it.each([
    ['Cancel', /^Cancel$/],
    ['the cross', /^Close$/],
    ['Escape', null],
  ])('is stopped by %s', async (_, name) => {
    const downloads = captureDownloads()
    const signals: (AbortSignal | null | undefined)[] = []
    const { user } = actions({ [key]: () => new Promise(() => undefined) })
    const send = globalThis.fetch
    vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
      if (input.endsWith('/export')) signals.push(init?.signal)
      return send(input, init)
    })
    await user.click(screen.getByRole('button', { name: 'Download…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Download 2 recordings' }))
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(signals).toHaveLength(1))
    await (name ? user.click(dialog.getByRole('button', { name })) : user.keyboard('{Escape}'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(signals[0]?.aborted).toBe(true)
    expect(downloads).toEqual([])
  })
})

describe('the batches at work', () => {
  const name = 'Transcribe in Pashto, translate to English'

  it('show how far they are, list what failed and can be cancelled', async () => {
    const item = { recording_id: 'd'.repeat(24), name: 'call.wav', state: 'failed', reason: 'Transcription: No sound' }
    let current = batch
    const { user } = (() => {
      fakeServer({
        'GET /api/batches': () => ({ body: { batches: [current] } }),
        [`GET /api/batches/${batch.id}`]: () => ({
          body: { batch: current, items: [item], total: 1, page: 1, per_page: 50, pages: 1 },
        }),
        [`DELETE /api/batches/${batch.id}`]: () => {
          current = { ...batch, state: 'cancelled' }
          return { body: current }
        },
      })
      return renderAt('/dashboard', <BatchProgress />, someUser)
    })()
    const row = within(await screen.findByRole('listitem'))
    expect(row.getByText('4 of 10 · 1 failed')).toBeVisible()
    await user.click(row.getByRole('button', { name: `Details: ${name}` }))
    const dialog = within(await screen.findByRole('dialog', { name }))
    expect(await dialog.findByRole('link', { name: 'call.wav' })).toHaveAttribute(
      'href',
      `/transcribe?recording=${item.recording_id}`,
    )
    expect(dialog.getByText('Transcription: No sound')).toBeVisible()
    expect(dialog.getByRole('radio', { name: 'Failed 1' })).toBeChecked()
    await user.click(dialog.getByRole('button', { name: 'Cancel the rest' }))
    expect(await screen.findByText(/being cancelled$/)).toBeInTheDocument()
  })

  it('that ended with failures stay until they are tried again or dismissed', async () => {
    let current = ended
    fakeServer({
      'GET /api/batches': () => ({ body: { batches: [current] } }),
      [`POST /api/batches/${batch.id}/retry`]: () => {
        current = { ...batch, counts: { ...batch.counts, failed: 0 } }
        return { body: current }
      },
    })
    const { user } = renderAt('/dashboard', <BatchProgress />, someUser)
    await user.click(await screen.findByRole('button', { name: `Retry failed: ${name}` }))
    expect(await screen.findByRole('button', { name: `Cancel: ${name}` })).toBeVisible()
  })

  it('that ended with failures can be dismissed', async () => {
    fakeServer({ 'GET /api/batches': () => ({ body: { batches: [ended] } }) })
    const { user } = renderAt('/dashboard', <BatchProgress />, someUser)
    await user.click(await screen.findByRole('button', { name: `Dismiss: ${name}` }))
    expect(screen.queryByRole('list', { name: 'Batches' })).toBeNull()
  })
})
