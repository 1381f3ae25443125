import { expect, test } from 'vitest'
import { api } from './api.ts'
import { requiredApiKeyScope } from './api-key-scopes.ts'
import type { EndpointSpec } from './endpoint.ts'

const read: [string, EndpointSpec][] = [
  ['the keywords', api.keywords.list],
  ['a recording', api.recordings.get],
  ['the library', api.library.list],
  ['a batch', api.batches.get],
  ['alerts', api.alerts.list],
  ['a case', api.cases.get],
  ['what is found', api.search.find],
  ['notes', api.editing.listNotes],
  ['a job', api.jobs.get],
  ['the sound', api.audio.play],
  ['what a batch would do, which takes a body', api.batches.preview],
  ['an archive of transcripts, which takes a body', api.batches.export],
]

test.each(read)('a key that may read reads %s', (_, spec) => {
  expect(requiredApiKeyScope(spec)).toBe('read')
})

test.each<[string, EndpointSpec]>([
  ['upload a recording', api.audio.upload],
  ['delete a recording', api.recordings.remove],
  ['rename a recording', api.recordings.update],
  ['begin a batch', api.batches.create],
  ['cancel a job', api.jobs.cancel],
])('a key needs the right to write to %s', (_, spec) => {
  expect(requiredApiKeyScope(spec)).toBe('write')
})

test.each<[string, EndpointSpec]>([
  ['the profile', api.profile.get],
  ['keys', api.integrations.listKeys],
  ['passkeys', api.passkeys.list],
  ['users', api.admin.listUsers],
  ['the state of the system', api.system.status],
  ['the settings before signing in', api.system.config],
])('no key is accepted for %s', (_, spec) => {
  expect(requiredApiKeyScope(spec)).toBeNull()
})
