import { expect, it } from 'vitest'
import { LdapProviderInput, OidcProviderInput } from '#contract/entities/sign-in-provider.ts'
import { formatMoment } from '../../shared/format.ts'
import { describeEvent } from './recording-details.ts'

const madeAt = '2026-11-26T02:00:00.000Z'

it.each([
  ['recording.upload', 'watch folder, SHA-256 ab12', 'by the watch folder, SHA-256 ab12'],
  ['recording.tag', '3 tags added, 1 tag removed', '3 tags added, 1 tag removed'],
  ['recording.export', 'docx, fa, member with edit', 'docx, Persian, as a member of a case with the right to edit'],
  ['recording.transcribe', 'batch, auto', 'in a batch, any language'],
  ['recording.transcribe', 'speakers, ps, en, model large-v3', 'with speakers, Pashto, English, model large-v3'],
  ['recording.restore_sound', `backup of ${madeAt}`, `backup of ${formatMoment(madeAt)}`],
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
  [
    'admin.sign_in_settings',
    'registration: open to domains; registration_domains: none to a.example b.example; session_hours: 24 to 12',
    'Who may create an account: Open to By domain; Domains: None to a.example, b.example; Hours until every session ends: 24 to 12',
  ],
  ['admin.provider_create', 'ldap, on', 'Directory, On'],
  [
    'admin.provider_update',
    'oidc, off; changed: name, client_id, secret',
    'OpenID Connect, Off; changed: Name, Client ID, secret or password',
  ],
  ['admin.provider_update', 'something new', 'something new'],
  ['auth.sso_role', 'user to admin by Contoso', 'User to Admin by Contoso'],
  [
    'auth.sso_role',
    'super_admin to user by Contoso: the last super admin',
    'Super admin to User by Contoso; the last super admin keeps the role',
  ],
  ['webhook.create', 'example.org:8080, job.finished alert.raised, on', 'example.org:8080, Job finished, Alert, On'],
  ['webhook.switched_off', 'something new', 'something new'],
])('describes the details of %s, %s', (action, details, shown) => {
  expect(describeEvent({ action, details })).toBe(shown)
})

it('has a name for everything that can change of a provider', () => {
  const fields = [OidcProviderInput, LdapProviderInput].flatMap(({ shape }) => Object.keys(shape))
  const unnamed = fields.filter((name) => {
    const shown = describeEvent({ action: 'admin.provider_update', details: `oidc, on; changed: ${name}` })
    return shown.endsWith(` ${name}`)
  })
  // The kind never changes, and the secrets are called one.
  expect(unnamed).toEqual(['kind', 'client_secret', 'kind', 'bind_password'])
})

it('names the case in which something was done', () => {
  const entry = { action: 'case.recording_add', details: `case ${'a'.repeat(24)}, watch folder` }
  expect(describeEvent({ ...entry, case_name: 'Harbour' })).toBe('case Harbour, by the watch folder')
})
