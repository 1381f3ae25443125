import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { TranscriptionResult } from '#contract/transcription.ts'
import type { TranscriptVersion } from '#contract/versions.ts'
import { TestDesk } from '../../../testing/desk.tsx'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { makePlayer, withPlayer } from '../../../testing/player.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { VersionsPanel } from './versions-panel.tsx'

const [oldId, newId] = ['0123456789abcdef01234561', '0123456789abcdef01234562']

function makeVersion(overrides: Partial<TranscriptVersion>): TranscriptVersion {
  return {
    transcription_id: newId,
    is_current: true,
    finished_at: '2026-01-05T10:00:00.000Z',
    request: {
      language: 'en',
      channel_languages: null,
      names: [],
      speaker_count: null,
      split_voices: [],
      model: null,
    },
    model: 'tiny',
    provenance: null,
    line_count: 2,
    word_count: 6,
    edited_line_count: 0,
    target_languages: [],
    ...overrides,
  }
}

const current = makeVersion({})
const earlier = makeVersion({
  transcription_id: oldId,
  is_current: false,
  finished_at: '2026-01-04T09:00:00.000Z',
  request: { ...current.request, language: 'ps', channel_languages: ['ps', 'en'], names: ['Ahmad'] },
  line_count: 1538,
  edited_line_count: 3,
  target_languages: ['en', 'ur'],
})

const left = { start: 0, end: 2, speaker: 'Speaker A', channel: 0 }
const right = { start: 3, end: 5, speaker: 'Speaker B', channel: 1 }
const currentText = makeTranscript([makeSegment('good morning', left), makeSegment('is the bridge open', right)], {
  transcription_id: newId,
})
const earlierText = makeTranscript([makeSegment('سلام', left), makeSegment('is the bridge closed', right)], {
  transcription_id: oldId,
})

interface ShowOptions {
  versions?: TranscriptVersion[]
  transcription?: TranscriptionResult | null
  seek?: (seconds: number) => void
  isFailing?: boolean
  /** When the responses to these calls come. */
  restored?: Promise<void>
  loaded?: Promise<void>
}

function show(options: ShowOptions = {}) {
  const { versions = [current, earlier], transcription = currentText, seek = vi.fn(), isFailing = false } = options
  const recording = makeRecording(transcription, { version_count: versions.length })
  const path = `/api/recordings/${recording.id}`
  const answer = { isFailing }
  const calls = fakeServer({
    [`GET ${path}/versions`]: () => (answer.isFailing ? failure(500) : { body: { versions } }),
    [`GET ${path}/versions/${oldId}`]: async () => {
      await options.loaded
      return { body: earlierText }
    },
    [`POST ${path}/versions/${oldId}/restore`]: async () => {
      await options.restored
      return { body: { ...recording, transcription: earlierText } }
    },
    [`GET ${path}/notes`]: () => ({ body: { notes: [] } }),
    [`GET ${path}/reviewed-hits`]: () => ({ body: { reviewed: [] } }),
  })
  const panel = (
    <TestDesk recording={recording}>
      <VersionsPanel />
    </TestDesk>
  )
  const rendered = renderAt('/transcribe', withPlayer(panel, makePlayer(seek)), someUser)
  return { ...rendered, calls, answer, recording }
}

const rows = async () =>
  within(await screen.findByRole('list', { name: 'Versions' })).getAllByRole('listitem', { name: /^Version \d/ })

describe('the list of versions', () => {
  it('names when each was made, of what, and what it contains, and marks the current one', async () => {
    show()
    const [first, second] = await rows()
    expect(first).toHaveTextContent('Current')
    expect(first).toHaveTextContent('English')
    expect(second).not.toHaveTextContent('Current')
    expect(second).toHaveTextContent('Pashto on the left, English on the right')
    expect(second).toHaveTextContent('likely names: Ahmad')
    expect(second).toHaveTextContent('1,538 lines · 6 words · 3 lines edited · translated into English and Urdu')
  })

  it('says what a second version would be good for', async () => {
    show({ versions: [current] })
    expect(await screen.findByText(/^This is the only version/)).toBeVisible()
  })

  it('says what will be here before the first transcription', async () => {
    show({ versions: [], transcription: null })
    expect(await screen.findByText(/^Nothing has been transcribed yet/)).toBeVisible()
  })

  it('can be loaded again after a failure', async () => {
    const { user, answer } = show({ isFailing: true })
    expect(await screen.findByText('Loading the versions')).toBeVisible()
    expect(await screen.findByText('The versions could not be loaded.')).toBeVisible()
    answer.isFailing = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await rows()).toHaveLength(2)
  })
})

describe('comparing versions', () => {
  async function compare(options: ShowOptions = {}) {
    const shown = show(options)
    await shown.user.click(await screen.findByRole('button', { name: 'Compare version 1' }))
    const dialog = await screen.findByRole('dialog', { name: 'Compare versions' })
    const lines = await within(dialog).findByRole('list', { name: 'Lines of both versions' })
    return { ...shown, dialog, lines }
  }

  it('shows the lines that differ, with the differing words marked in both', async () => {
    const { lines } = await compare()
    await waitFor(() => expect(within(lines).getAllByRole('listitem')).toHaveLength(2))
    expect(within(lines).getByText('closed')).toHaveProperty('tagName', 'MARK')
    expect(within(lines).getByText('open')).toHaveProperty('tagName', 'MARK')
    expect(
      within(lines)
        .getAllByText(/is the bridge/)
        .map(({ tagName }) => tagName),
    ).not.toContain('MARK')
    expect(within(lines).getByText('سلام').closest('[lang]')).toHaveAttribute('dir', 'rtl')
  })

  it('plays a line of either version', async () => {
    const seek = vi.fn()
    const { user, lines } = await compare({ seek })
    await user.click(await within(lines).findByRole('button', { name: 'Play the line at 0:03 of version 1' }))
    expect(seek).toHaveBeenLastCalledWith(3)
    await user.click(within(lines).getByRole('button', { name: 'Play the line at 0:00 of version 2' }))
    expect(seek).toHaveBeenLastCalledWith(0)
  })

  it('says where both versions say the same', async () => {
    const { user } = show({ transcription: { ...earlierText, transcription_id: newId } })
    await user.click(await screen.findByRole('button', { name: 'Compare version 1' }))
    expect(await screen.findByText('Both versions say the same.')).toBeVisible()
    await user.click(screen.getByRole('radio', { name: 'All lines (2)' }))
    expect(screen.getByRole('list', { name: 'Lines of both versions' })).toBeVisible()
  })
})

describe('restoring a version', () => {
  async function ask(options: ShowOptions = {}) {
    const shown = show(options)
    await shown.user.click(await screen.findByRole('button', { name: 'Restore version 1' }))
    const dialog = await screen.findByRole('dialog', { name: 'Restore version 1?' })
    return { ...shown, dialog }
  }

  it('names what changes and what stays, and does nothing when cancelled', async () => {
    const { user, dialog, calls } = await ask()
    expect(dialog).toHaveTextContent('becomes current: Pashto on the left, English on the right')
    expect(dialog).toHaveTextContent('stays in the list with its edits and translations')
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls.some(({ key }) => key.startsWith('POST'))).toBe(false)
  })

  it('leaves a comparison loading that was opened before the response', async () => {
    const restored = Promise.withResolvers<void>()
    const loaded = Promise.withResolvers<void>()
    const { user, dialog } = await ask({ restored: restored.promise, loaded: loaded.promise })
    await user.click(within(dialog).getByRole('button', { name: 'Restore' }))
    await user.click(screen.getByRole('button', { name: 'Compare version 1', hidden: true }))
    const comparison = await screen.findByRole('dialog', { name: 'Compare versions', hidden: true })
    restored.resolve()
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Restore version 1?' })).toBeNull())
    loaded.resolve()
    expect(await within(comparison).findByRole('list', { name: 'Lines of both versions', hidden: true })).toBeVisible()
  })

  it('makes it current', async () => {
    const { user, dialog, client, recording } = await ask()
    await user.click(within(dialog).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(client.getQueryData(['recording', recording.id])).toMatchObject({
      transcription: { transcription_id: oldId },
    })
  })
})
