import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('reads models of single pairs', () => {
  const env = { TRANSLATION_MODEL: 'gemma-4-e4b', TRANSLATION_MODEL_BY_PAIR: 'ps-en=gemma-4-12b, fa-en = hy-mt2' }
  expect(readConfig(env).translationModelByPair).toEqual({ 'ps-en': 'gemma-4-12b', 'fa-en': 'hy-mt2' })
  expect(readConfig({})).toMatchObject({ translationModelByPair: {}, translationServers: undefined })
})

test('reads translation servers with their models', () => {
  const env = {
    TRANSLATION_SERVERS: 'http://10.0.0.5:8080/v1/, https://mt.example.org',
    TRANSLATION_SERVER_MODEL_BY_PAIR: 'ps-en=Pashto/Large',
    TRANSLATION_SERVER_LANGUAGES: 'fa, ar,en',
    TRANSLATION_SERVER_PROFILE: 'hy-mt',
  }
  expect(readConfig(env).translationServers).toMatchObject({
    addresses: ['http://10.0.0.5:8080', 'https://mt.example.org'],
    model: 'default',
    modelByPair: { 'ps-en': 'Pashto/Large' },
    languages: ['fa', 'ar', 'en'],
    form: 'hy-mt',
    timeoutMs: 120_000,
  })
})

test.each([
  ['a pair of one language', { TRANSLATION_MODEL_BY_PAIR: 'ps=a' }],
  ['a pair of unknown languages', { TRANSLATION_MODEL_BY_PAIR: 'xx-en=a' }],
  ['a pair without a model', { TRANSLATION_MODEL_BY_PAIR: 'ps-en=' }],
  ['a pair named twice', { TRANSLATION_MODEL_BY_PAIR: 'ps-en=a,ps-en=b' }],
  ['unknown languages', { TRANSLATION_SERVERS: 'http://10.0.0.5', TRANSLATION_SERVER_LANGUAGES: 'dari' }],
  ['an unknown profile', { TRANSLATION_SERVERS: 'http://10.0.0.5', TRANSLATION_SERVER_PROFILE: 'best' }],
  ['a public address without encryption', { TRANSLATION_SERVERS: 'http://8.8.8.8' }],
  ['a model that servers would take the place of', { TRANSLATION_SERVERS: 'http://10.0.0.5', TRANSLATION_MODEL: 'a' }],
  ['models of pairs beside servers', { TRANSLATION_SERVERS: 'http://10.0.0.5', TRANSLATION_MODEL_BY_PAIR: 'ps-en=a' }],
])('refuses %s', (_, env) => {
  expect(() => readConfig(env)).toThrow(/TRANSLATION_/)
})
