import { expect, it } from 'vitest'
import { recordingActions } from '#contract/recording-activity.ts'
import { auditActions, describeAction, describeDetails, describeReason } from './audit-labels.ts'

const sources = import.meta.glob<string>(
  ['../../../../server/features/**/*.ts', '../../../../scripts/admin/*.ts', '!**/*.test.ts'],
  { query: '?raw', import: 'default', eager: true },
)

/** Returns the actions that the server's sources record. */
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
