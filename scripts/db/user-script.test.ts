import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'
import { findUriProblem } from '#data/mongodb-uri.ts'
import { userScript } from './user-script.ts'

/** Runs a script as mongosh does, and returns the database and the user that it creates. */
function runScript(script: string) {
  const createUser = vi.fn()
  const getSiblingDB = vi.fn(() => ({ createUser }))
  runInNewContext(script, { db: { getSiblingDB }, passwordPrompt: () => 'typed' })
  return [getSiblingDB.mock.calls, createUser.mock.calls]
}

const uriOf = (script: string) => /MONGODB_URI='([^']*)'/.exec(script)?.[1] ?? ''

test.each(['awaz', "o'neil \\ calls"])(
  'creates a user by password, who reads and writes one database: %s',
  (dbName) => {
    const script = userScript({ dbName, user: "o'neil@host", isCertificate: false })
    const roles = [{ role: 'readWrite', db: dbName }]
    expect(runScript(script)).toEqual([[[dbName]], [[{ user: "o'neil@host", pwd: 'typed', roles }]]])
    expect(new URL(uriOf(script)).searchParams.get('authSource')).toBe(dbName)
  },
)

test('creates a user by certificate, and names a URI that the driver takes', () => {
  const user = 'CN=awaz,OU=hosts'
  const script = userScript({ dbName: 'awaz', user, isCertificate: true })
  const roles = [{ role: 'readWrite', db: 'awaz' }]
  expect(runScript(script)).toEqual([[['$external']], [[{ user, roles }]]])
  expect(findUriProblem(uriOf(script))).toBeUndefined()
})
