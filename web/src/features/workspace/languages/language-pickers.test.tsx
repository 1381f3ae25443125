import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { languagesKey, makeLanguages, renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording } from '../../../testing/transcripts.ts'

// The lists are written out: a label that is lost or renamed fails here (audio-workflow specification, sections 2 and 9).
const detections = ['Detect language', 'Detect part by part']
const builtIn = ['Pashto', 'English', 'Urdu', 'Persian', 'Arabic', ...detections]
const withoutLanguages = { [languagesKey]: () => failure(503) }
const picker = (name: string) => screen.getByRole('combobox', { name })

/** Opens a picker, expects the labels of its options once the server has answered, and closes it. */
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
