import { expect, test } from 'vitest'
import { readConfig } from '#data/config.ts'
import { readActiveModels } from '#data/models-catalog.ts'
import { chooseModels } from './active-models.ts'

test('speech models are those of the servers, for the server and the engine alike', async () => {
  const config = readConfig({
    SPEECH_SERVERS: 'http://10.0.0.5:8000',
    SPEECH_SERVER_MODEL: 'Systran/faster-whisper-large-v3',
    SPEECH_SERVER_MODEL_PS: 'pashto',
  })
  const chosen = await chooseModels(config)
  const active = await readActiveModels(config)
  expect(chosen.speech).toMatchObject({
    id: 'remote-systran-faster-whisper-large-v3',
    remoteName: 'Systran/faster-whisper-large-v3',
    isDemo: false,
    languages: ['ps', 'en', 'ur', 'fa', 'ar'],
  })
  expect(chosen.speechByLanguage).toMatchObject({ ps: { id: 'remote-pashto', remoteName: 'pashto' } })
  const { speech, speechByLanguage } = active
  expect(speech).toMatchObject({ id: chosen.speech.id, name: chosen.speech.name, languages: chosen.speech.languages })
  expect(Object.keys(speechByLanguage)).toEqual(['ps'])
  expect(active.translation?.id).toBe(chosen.translation.id)
})
