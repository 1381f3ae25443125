import { expect, it } from 'vitest'
import { describeEvent } from './recording-details.ts'

it.each([
  ['recording.upload', 'watch folder, SHA-256 ab12', 'by the watch folder, SHA-256 ab12'],
  ['recording.tag', '3 tags added, 1 tag removed', '3 tags added, 1 tag removed'],
  ['recording.export', 'docx, fa, member with edit', 'docx, Persian, as a member of a case with the right to edit'],
  ['recording.transcribe', 'batch, auto', 'in a batch, any language'],
  ['recording.transcribe', 'speakers, ps, en, model large-v3', 'with speakers, Pashto, English, model large-v3'],
  ['recording.translate', 'auto to en', 'English'],
  ['recording.translate', 'ps to en', 'Pashto to English'],
  ['recording.delete', 'retention of 30 days by role', 'older than 30 days, the rule of the role'],
  ['recording.delete', 'retention of 1 days by setting', 'older than 1 day, the rule of the server'],
  ['recording.delete', 'something new', 'something new'],
  ['recording.open', '', ''],
  ['case.recording_add', `case ${'a'.repeat(24)}`, ''],
  ['case.recording_add', `case ${'a'.repeat(24)}, watch folder`, 'by the watch folder'],
  ['hold.set', 'account', 'account'],
  ['admin.role', 'user to admin', 'User to Admin'],
])('describes the details of %s, %s', (action, details, shown) => {
  expect(describeEvent({ action, details })).toBe(shown)
})

it('names the case in which something was done', () => {
  const entry = { action: 'case.recording_add', details: `case ${'a'.repeat(24)}, watch folder` }
  expect(describeEvent({ ...entry, case_name: 'Harbour' })).toBe('case Harbour, by the watch folder')
})
