import { expect, test } from 'vitest'
import { isSafeAddress } from './provider-rules.ts'

test.each([
  ['https://login.example.org', true],
  ['http://localhost:8080/realms/a', true],
  ['http://keycloak.localhost', true],
  ['http://127.0.0.1:9000', true],
  ['http://[::1]:9000', true],
  ['http://192.168.1.5', true],
  ['http://keycloak:8080', false],
  ['http://login.example.org', false],
  ['http://localhost.example.org', false],
  ['http://8.8.8.8', false],
  ['http://[2606:4700::1111]', false],
  ['ftp://127.0.0.1', false],
  ['file:///etc/passwd', false],
  ['no address', false],
  ['/relative', false],
])('%s may be called: %s', (address, isSafe) => expect(isSafeAddress(address)).toBe(isSafe))
