import { expect, it } from 'vitest'
import { describeAction, describeDetails, describeReason } from './audit-words.ts'

it('says what codes mean, and shows what it does not know', () => {
  expect(describeAction('admin.role')).toBe('Role changed')
  expect(describeAction('new.thing')).toBe('new.thing')
  expect(describeReason('wrong_code')).toBe('wrong authentication code')
  expect(describeDetails('user to super_admin')).toBe('User to Super admin')
  expect(describeDetails('Lost the phone')).toBe('Lost the phone')
})
