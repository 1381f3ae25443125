import { expect, test } from 'vitest'
import { isInternalAddress, isInternalHost, resolvesToInternalAddress, lookupExternalAddress } from './open-download.ts'
import { proxyFor } from './proxy.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  'fd00::1',
  'fe80::1',
])('%s is an internal address', (address) => {
  expect(isInternalAddress(address)).toBe(true)
})

test.each(['93.184.216.34', '172.32.0.1', '2606:2800:220:1::1', '::ffff:93.184.216.34', '64:ff9b::93.184.216.34'])(
  '%s is public',
  (address) => {
    expect(isInternalAddress(address)).toBe(false)
  },
)

test('a name of this machine is internal, and is not resolved where internal addresses are refused', async () => {
  expect(isInternalHost('models.localhost')).toBe(true)
  expect(isInternalHost('example.org')).toBe(false)
  expect(await resolvesToInternalAddress('localhost')).toBe(true)
  const error = await new Promise((resolve) => void lookupExternalAddress('localhost', { all: true }, resolve))
  expect(error).toMatchObject({ name: 'InternalAddressError' })
})

test.each([
  ['https://hub.example.org/a', {}, undefined],
  ['https://hub.example.org/a', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://hub.example.org/a', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['http://hub.example.org/a', { http_proxy: 'http://p:1' }, 'http://p:1'],
  ['https://hub.example.org/a', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'other.org, example.org' }, undefined],
  ['https://hub.example.org/a', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example.org' }, undefined],
  ['https://hub.example.org/a', { HTTPS_PROXY: 'http://p:1', no_proxy: 'ample.org' }, 'http://p:1'],
  ['https://hub.example.org/a', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'hub.example.org:443' }, undefined],
  ['https://hub.example.org:8443/a', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'hub.example.org:443' }, 'http://p:1'],
  ['https://hub.example.org/a', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
])('%s with %j goes through %s', (url, env, proxy) => {
  expect(proxyFor(new URL(url), env)).toBe(proxy)
})
