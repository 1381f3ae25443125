import { expect, test } from 'vitest'
import { transcriptionLanguages } from '#contract/languages.ts'
import { noFeatures } from '#testing/jobs.ts'
import { describeModels, printWelcome } from './welcome.ts'

const speech = { id: 'demo-speech', name: 'Demo speech', is_demo: true, languages: ['ps'] }

test('models are not known yet while no engine has reported', () => {
  const unknown = { ...noFeatures, transcription: [...transcriptionLanguages], diarization: true }
  expect(describeModels(undefined)).toBe('not known yet')
  expect(describeModels(unknown)).toBe('not known yet')
})

test('an engine without models has none', () => {
  expect(describeModels(noFeatures)).toBe('none, none')
})

test('the models are named, with a warning where one is a demo model', () => {
  const features = { ...noFeatures, transcription: ['ps'], speech }
  expect(describeModels(features)).toMatch(/^Demo speech, none\n +DEMO models: /)
  expect(describeModels({ ...features, speech: { ...speech, is_demo: false } })).toBe('Demo speech, none')
})

test('the address is printed at once, the models when an engine is ready', async () => {
  const engine = Promise.withResolvers<void>()
  let output = ''
  const printed = printWelcome({
    url: 'http://localhost:1',
    dataDir: '/nowhere',
    isEmbedded: true,
    engineReady: engine.promise,
    write: (text) => (output += text),
  })
  expect(output).toContain('running at http://localhost:1\n')
  expect(output).not.toContain('Models')
  engine.resolve()
  await printed
  expect(output).toContain('Models          not known yet\n')
})
