import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { languagesKey, makeLanguages, renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

// The lists are written out so that a lost or renamed label fails here (audio-workflow specification, sections 2 and 9).
const detections = ['Detect language', 'Detect part by part']
const builtIn = ['Pashto', 'English', 'Urdu', 'Persian', 'Arabic', ...detections]
const withoutLanguages = { [languagesKey]: () => failure(503) }
const picker = (name: string) => screen.getByRole('combobox', { name })

/** Opens a picker, expects these option labels once the server has responded, and closes it. */
async function expectOptions(user: Awaited<ReturnType<typeof renderDesk>>['user'], name: string, labels: string[]) {
  await user.click(picker(name))
  await waitFor(() => {
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(labels)
  })
  await user.click(picker(name))
}

it('offer the built-in languages for each channel of a stereo recording where the server gives none', async () => {
  const { user } = await renderDesk(makeRecording(null), withoutLanguages)
  expect(picker('Transcription Language')).toHaveValue('Pashto')
  expect(picker('Transcription Language')).toHaveAccessibleDescription('Left Channel')
  expect(picker('Right Channel')).toHaveValue('Same as the left')
  await expectOptions(user, 'Transcription Language', builtIn)
  await expectOptions(user, 'Right Channel', ['Same as the left', ...builtIn])
})

it('offer the same languages for the only channel of a mono recording', async () => {
  const { user } = await renderDesk(makeRecording(null, { is_stereo: false, channels: 1 }), withoutLanguages)
  expect(screen.queryByRole('combobox', { name: 'Right Channel' })).toBeNull()
  expect(picker('Transcription Language')).toHaveValue('Pashto')
  await expectOptions(user, 'Transcription Language', builtIn)
})

it('are set to translate into English, and offer English and Urdu where the server gives none', async () => {
  const { user } = await renderDesk(makeRecording(null), withoutLanguages)
  expect(picker('Translation Language')).toHaveValue('English')
  await expectOptions(user, 'Translation Language', ['English', 'Urdu'])
})

it('offer what the server gives, and say for which languages there is no model', async () => {
  const { user } = await renderDesk(makeRecording(null), { [languagesKey]: () => makeLanguages() })
  await expectOptions(user, 'Transcription Language', ['Pashto', 'English', ...detections])
  await expectOptions(user, 'Right Channel', ['Same as the left', 'Pashto', 'English', ...detections])
  await expectOptions(user, 'Translation Language', ['English', 'Persian (no model here)'])
})

describe('of a transcribed recording', () => {
  const left = makeSegment('سلام ورور')
  const right = makeSegment('good morning', { start: 2, end: 3, speaker: 'Speaker B', channel: 1 })
  const transcript = makeTranscript([left, right])
  const request = { names: [], speaker_count: null, split_voices: [], model: null }
  const transcribed = (changes: Partial<RecordingDetails> = {}) =>
    makeRecording(transcript, {
      transcription_request: { ...request, language: 'ps', channel_languages: null },
      ...changes,
    })

  it('are both on the desk, each with its label on screen', async () => {
    await renderDesk(transcribed())
    for (const label of ['Transcription Language', 'Translation Language'])
      expect(screen.getByText(label)).toBeVisible()
    expect(picker('Transcription Language')).toHaveValue('Pashto')
    expect(picker('Translation Language')).toHaveValue('English')
  })

  it('ask before another language is transcribed, and keep the first where that is declined', async () => {
    const { user, calls } = await renderDesk(transcribed())
    await user.click(picker('Transcription Language'))
    await user.click(await screen.findByRole('option', { name: 'English' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transcribe again' }))
    expect(dialog.getByRole('combobox', { name: 'Transcription Language' })).toHaveValue('English')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(picker('Transcription Language')).toHaveValue('Pashto')
    expect(calls.map(({ key }) => key)).not.toContain('POST /api/transcribe')
  })

  it('name the languages of both channels, and change that of the left', async () => {
    const { user } = await renderDesk(
      transcribed({ transcription_request: { ...request, language: 'ps', channel_languages: ['ps', 'en'] } }),
    )
    expect(picker('Transcription Language')).toHaveValue('Pashto, English')
    await user.click(picker('Transcription Language'))
    await user.click(await screen.findByRole('option', { name: 'Detect language' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Transcribe again' }))
    expect(dialog.getByRole('combobox', { name: 'Transcription Language' })).toHaveValue('Detect language')
    expect(dialog.getByRole('combobox', { name: 'Right Channel' })).toHaveValue('English')
  })

  it('rest while work runs, and that of the transcription for readers', async () => {
    const { unmount } = await renderDesk(makeRecording(null, { job: makeRunningJob(null) }))
    expect(picker('Transcription Language')).toBeDisabled()
    expect(picker('Translation Language')).toBeDisabled()
    unmount()
    await renderDesk(transcribed({ access: 'view' }))
    expect(picker('Transcription Language')).toBeDisabled()
    expect(picker('Translation Language')).toBeEnabled()
  })
})
