import { expect, it } from 'vitest'
import { recordingActions } from '#contract/recording-activity.ts'
import { auditActions, describeAction, describeDetails, describeReason } from './audit-labels.ts'

const sources = import.meta.glob<string>(
  ['../../../../server/features/**/*.ts', '../../../../scripts/admin/*.ts', '!**/*.test.ts'],
  { query: '?raw', import: 'default', eager: true },
)

/** Returns the actions that the server's source code records. */
function actionsOfServer(): string[] {
  const text = Object.values(sources).join('\n')
  const written = [...text.matchAll(/action: '([a-z_]+\.[a-z_.\d]+)'/g)].map(([, action = '']) => action)
  const ofAdmins = [...text.matchAll(/recordAction\(context, '([a-z_\d]+)'/g)].map(([, action]) => `admin.${action}`)
  const ofInviters = [...text.matchAll(/recordAction\(audit, .*action: '([a-z_]+)'/g)].map(
    ([, name]) => `invitation.${name}`,
  )
  const ofRecordings = recordingActions.map((action) => `recording.${action}`)
  return [...new Set([...written, ...ofAdmins, ...ofInviters, ...ofRecordings])]
}

it('has a label for every action that the server records', () => {
  const found = actionsOfServer()
  expect(found.length).toBeGreaterThan(25)
  expect(found.filter((action) => !auditActions.includes(action))).toEqual([])
})

it('describes known codes and shows unknown ones as they are', () => {
  expect(describeAction('admin.role')).toBe('Role changed')
  expect(describeAction('new.thing')).toBe('new.thing')
  expect(describeReason('wrong_code')).toBe('wrong authentication code')
  expect(describeDetails('user to super_admin')).toBe('User to Super admin')
  expect(describeDetails('Contoso: no_account')).toBe('Contoso: has no account here')
  expect(describeDetails('Lost the phone')).toBe('Lost the phone')
})

it.each([
  ['12 recordings', '12 recordings'],
  ['user, 7 days', 'User, 7 days'],
  ['3 people, 1 as admin', '3 people, 1 as Admin'],
  ['user: 30 days, admin: for ever', 'User: 30 days, Admin: for ever'],
  [`no days of its own (case ${'a'.repeat(24)})`, 'no days of its own'],
  ['pair ps-en', 'Pashto to English'],
  ['samir@example.org: edit', 'samir@example.org: Can correct'],
  ['begun at 192.0.2.1', 'begun at 192.0.2.1'],
  ['oidc, on; changed: name', 'oidc, on; changed: name'],
])('says %s in the reader’s words', (details, said) => {
  expect(describeDetails(details).replaceAll(/[\u2068\u2069]/g, '')).toBe(said)
})
