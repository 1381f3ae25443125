import { describe, expect, test } from 'vitest'
import { complaints, id } from '../testing/inputs.ts'
import { system } from './system.ts'

const moment = '2026-01-02T03:04:05.000Z'

test.each(['open', 'invitation', 'domains', 'closed'])(
  'the settings before signing in say who may register: %s',
  (registration) => {
    const settings = {
      signin_requires_verified: true,
      gate_requires_verified: false,
      gate_requires_2fa: true,
      is_smtp_configured: false,
      registration,
      registration_domains: ['example.org'],
      sign_in_providers: [
        { id, kind: 'oidc', name: 'Work' },
        { id, kind: 'ldap', name: 'Office' },
      ],
      max_upload_bytes: 104_857_600,
      retention_days: 0,
      version: '1.0.0',
    }
    expect(system.config.response.parse(settings)).toEqual(settings)
  },
)

test('languages come with what the models can do', () => {
  const features = {
    speech: { id: 'base', name: 'Whisper base', is_demo: false, languages: ['ps'] },
    translation: null,
    transcription: ['ps'],
    translation_sources: ['ps'],
    translation_targets: ['en'],
    diarization: true,
    language_detection: false,
  }
  const health = { id: 'base', name: 'Whisper base', kind: 'speech', languages: ['ps'], problem: null }
  const answer = {
    translation_languages: { en: 'English' },
    transcription_languages: { ps: 'Pashto' },
    transcription_models: [{ id: 'base', name: 'Whisper base', languages: ['ps'], detects_languages: true }],
    features,
  }
  expect(system.languages.response.parse(answer)).toEqual({ ...answer, features: { ...features, models: [] } })
  const { models } = system.languages.response.parse({
    ...answer,
    features: { ...features, models: [health] },
  }).features
  expect(models).toEqual([{ ...health, pairs: [] }])
})

test.each(['terms', 'privacy', 'support'])('the page %s may have a text of the operator', (name) => {
  expect(system.document.params.parse({ name })).toEqual({ name })
  expect(system.document.response.parse({ markdown: null })).toEqual({ markdown: null })
})

test('there is no other page', () => {
  expect(complaints(system.document.params, { name: 'imprint' })).toEqual(['Name is not valid'])
})

describe('the state of the system', () => {
  const server = {
    address: 'http://10.0.0.5:8000',
    models: ['base'],
    is_reachable: null,
    in_flight: 0,
    completed: 1,
    failed: 2,
    real_time_factor: 0.5,
    tokens_per_second: null,
    last_error: { message: 'Timed out', at: moment },
    retry_at: moment,
  }
  const engine = {
    id: 'e-1',
    host: 'one',
    pid: 7,
    version: null,
    revision: null,
    components: [{ name: 'ffmpeg', version: null }],
    threads: null,
    model: { id: 'base', name: 'Whisper base', kind: 'speech' },
    device: 'whisper.cpp',
    speeds: [{ model: 'base', real_time_factor: 0.4, audio_seconds: 60 }],
    problem: null,
    started_at: moment,
    seen_at: moment,
    speech_model: 'Whisper base',
    translation_model: null,
    job: { id, kind: 'transcribe', progress: 1, attempt: 1, started_at: moment },
  }
  const state = {
    version: '1.0.0',
    revision: 'b384c64',
    components: [{ name: 'Node.js', version: '24.21.0' }],
    database: { is_embedded: false, version: '8.0.4' },
    queued_jobs: 0,
    running_jobs: 1,
    engines: [engine],
    speech_servers: [server],
    translation_servers: [server],
    mail: { ok: false, message: 'No server is set' },
    library: {
      checked_at: moment,
      recordings: 2,
      repaired: { entries: 1, search: 0, alerts: 0, jobs: 0, hits: 0, cases: 0 },
      failed: 0,
      repaired_ever: 1,
    },
  }

  test('has engines with their work, servers, mail and the last check of the library', () => {
    expect(system.status.response.parse(state)).toEqual(state)
  })

  test.each([
    { ...state, queued_jobs: -1 },
    { ...state, engines: [{ ...engine, job: { ...engine.job, progress: 1.1 } }] },
    { ...state, engines: [{ ...engine, job: { ...engine.job, kind: 'convert' } }] },
    { ...state, speech_servers: [{ ...server, in_flight: -1 }] },
  ])('has no impossible figures: %#', (impossible) => {
    expect(system.status.response.safeParse(impossible).success).toBe(false)
  })
})

test('liveness and readiness are told apart', () => {
  expect(system.health.response.parse({ status: 'ok' })).toEqual({ status: 'ok' })
  for (const status of ['ready', 'not_ready']) {
    const answer = { status, checks: { database: { ok: true, message: 'Connected' } } }
    expect(system.ready.response.parse(answer)).toEqual(answer)
  }
  expect([system.health.path, system.ready.path]).toEqual(['/healthz', '/readyz'])
})
