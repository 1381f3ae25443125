import { expect, test } from 'vitest'
import { loopbackHosts, parseSocketAddress } from './socket-address.ts'

test('an endpoint is a socket file or a host with its port', () => {
  expect(parseSocketAddress('/run/db.sock')).toEqual({ path: '/run/db.sock' })
  expect(parseSocketAddress('10.0.0.1:27017')).toEqual({ host: '10.0.0.1', port: 27017 })
  expect(parseSocketAddress('[::1]:27017')).toEqual({ host: '::1', port: 27017 })
  expect(() => parseSocketAddress('10.0.0.1')).toThrow('neither')
})

test('only the hosts of a connection string that are this machine are passed on', () => {
  expect(loopbackHosts('mongodb://me:secret@127.0.0.1:27018,localhost,db.internal:27017/awaz?replicaSet=rs')).toEqual([
    { host: '127.0.0.1', port: 27018 },
    { host: 'localhost', port: 27017 },
  ])
  expect(loopbackHosts('mongodb+srv://db.internal/awaz')).toEqual([])
})
