import { expect, test } from 'vitest'
import { readConfig } from '#data/config.ts'
import { chooseModels } from './active-models.ts'

test('chooses the speech models of transcription servers', async () => {
  const config = readConfig({
    SPEECH_SERVERS: 'http://10.0.0.5:8000',
    SPEECH_SERVER_MODEL: 'Systran/faster-whisper-large-v3',
    SPEECH_SERVER_MODEL_PS: 'pashto',
  })
  const chosen = await chooseModels(config)
  expect(chosen.speech).toMatchObject({
    id: 'remote-systran-faster-whisper-large-v3',
    remoteName: 'Systran/faster-whisper-large-v3',
    isDemo: false,
    languages: ['ps', 'en', 'ur', 'fa', 'ar'],
  })
  expect(chosen.speechByLanguage).toMatchObject({ ps: { id: 'remote-pashto', remoteName: 'pashto' } })
})
