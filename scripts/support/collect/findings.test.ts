import { expect, test } from 'vitest'
import { findingsOf } from '../../doctor/finding.ts'
import { audioCheck } from '../../doctor/checks/audio.ts'
import { describeFindings } from './findings.ts'

test('amounts are read with their separators of thousands, and recordings are not named', () => {
  const recording = { id: 'a'.repeat(24), name: 'the bridge.wav', owner: 'sara@example.org', uploadedAt: new Date() }
  const found = findingsOf(audioCheck.findings)(
    'audio.missing',
    'The sound of 1,234 recordings (a and others) is missing.',
    {
      recordings: [recording],
    },
  )
  const { value } = describeFindings([found], { isComplete: true })
  expect(value).toMatchObject({ findings: [{ amounts: [{ amount: 1234, unit: 'recording' }] }] })
  expect(JSON.stringify({ ...Object(value), mentions: undefined })).not.toMatch(/bridge|sara|a{24}/)
})
