import { expect, test } from 'vitest'
import { z } from 'zod'
import { listEndpoints } from '../api.ts'
import type { EndpointSpec } from '../endpoint.ts'

// Endpoints that read or format much take turns (docs/decisions/heavy-reads.md): these tests fail if a new one is forgotten.

const endpoints = listEndpoints()
const specs: Record<string, EndpointSpec> = Object.fromEntries(endpoints.map(({ name, spec }) => [name, spec]))
const namesWhere = (holds: (spec: EndpointSpec) => boolean) =>
  endpoints.filter(({ spec }) => holds(spec)).map(({ name }) => name)
const isHeavy = ({ heavy }: EndpointSpec) => heavy !== undefined
/** Returns the names of the fields of a response, at any depth. */
const fieldsOf = ({ response }: EndpointSpec) => {
  const schema = JSON.stringify(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }))
  return new Set([...schema.matchAll(/"([a-z_]+)":\{/g)].map(([, name]) => name))
}

test('every file that a user downloads takes turns', () => {
  const files = namesWhere(({ transport, access }) => transport === 'file' && access !== 'public')
  expect(files).toContain('recordings.export')
  expect(files.filter((name) => specs[name] && !isHeavy(specs[name]))).toEqual([])
})

test('everything that answers with a transcript, a translation, a dialogue or a waveform takes turns', () => {
  const long = namesWhere((spec) => {
    const fields = fieldsOf(spec)
    return ['segments', 'dialogue_timeline', 'bins', 'columns'].some((name) => fields.has(name))
  })
  expect(long).toEqual(expect.arrayContaining(['recordings.get', 'editing.getVersion', 'recordings.peaks', 'jobs.get']))
  expect(long.filter((name) => specs[name] && !isHeavy(specs[name]))).toEqual([])
})

test('nothing else does', () => {
  expect(namesWhere(({ heavy }) => heavy === 'whole')).toEqual([
    'recordings.get',
    'recordings.correctSpeakers',
    'recordings.export',
    'recordings.spectrogram',
    'recordings.clip',
    'editing.listVersions',
    'editing.getVersion',
    'editing.restoreVersion',
    'jobs.get',
  ])
  expect(namesWhere(({ heavy }) => heavy === 'parts')).toEqual([
    'admin.usersCsv',
    'admin.auditCsv',
    'audio.transcribe',
    'audio.translate',
    'audio.translateSpeakers',
    'audio.diarize',
    'recordings.peaks',
    'batches.export',
    'holds.keptStates',
    'holds.keptStatesOfCase',
  ])
})

test('what sends an answer to nobody takes no turn', () => {
  expect(namesWhere((spec) => isHeavy(spec) && spec.access === 'public')).toEqual([])
})
