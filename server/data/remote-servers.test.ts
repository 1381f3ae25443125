import { expect, test } from 'vitest'
import { isPrivateAddress } from './remote-servers.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '::1',
  'fd00::1',
  '::ffff:10.1.2.3',
  '::ffff:a01:203',
  '64:ff9b::10.1.2.3',
  '64:ff9b::c0a8:101',
])('%s is a private address', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

test.each([
  '93.184.216.34',
  '172.32.0.1',
  '2606:2800:220:1::1',
  '::ffff:93.184.216.34',
  '64:ff9b::93.184.216.34',
  'models.example.org',
])('%s is not a private address', (address) => {
  expect(isPrivateAddress(address)).toBe(false)
})
