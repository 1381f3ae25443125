import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createPerson, type Answer, type Person } from './person.ts'

const startLimitMs = 120_000

/** Waits until the product is ready, creates accounts as a super admin does, and signs everyone in. */
export async function createPeople(
  { url, dataDir }: { url: string; dataDir: string },
  count: number,
): Promise<Person[]> {
  await waitUntilReady(url)
  const admin = await signInFirstAdmin(url, dataDir)
  const people: Person[] = []
  for (let number = 0; number < count; number += 1) {
    const email = `person${number}@example.org`
    const password = newPassword()
    const body = { email, username: `person${number}`, password, first_name: 'Person', last_name: `${number}` }
    expectStatus(await admin.call('POST', '/api/auth/super-admin/create-user', { body }), 201, 'making an account')
    people.push(await signInWithOwnPassword(url, { number, email, password }))
  }
  return people
}

async function signInFirstAdmin(url: string, dataDir: string): Promise<Person> {
  const [email = '', password = ''] = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')
  return signInWithOwnPassword(url, { number: -1, email, password })
}

/** Signs in and changes the password where that is required. */
async function signInWithOwnPassword(
  url: string,
  { number, email, password }: { number: number; email: string; password: string },
): Promise<Person> {
  const person = createPerson({ url, number, email, password })
  if (!(await person.signIn())) throw new Error(`${email} could not sign in`)
  const { status } = await person.call('GET', '/api/recordings')
  if (status !== 403) return person
  const chosen = newPassword()
  const body = { current_password: password, new_password: chosen }
  expectStatus(await person.call('POST', '/api/auth/change-password', { body }), 200, 'choosing a password')
  const settled = createPerson({ url, number, email, password: chosen })
  if (!(await settled.signIn())) throw new Error(`${email} could not sign in with the new password`)
  return settled
}

function newPassword(): string {
  return `${randomBytes(12).toString('hex').replaceAll(/(.)\1/g, '$1z')}-Qx7!`
}

function expectStatus({ status, body }: Answer, expected: number, what: string): void {
  if (status !== expected) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`)
}

export async function waitUntilReady(url: string): Promise<void> {
  const endMs = performance.now() + startLimitMs
  while (performance.now() < endMs) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    if (answer?.ok) return
    await wait(200)
  }
  throw new Error(`The product was not ready ${startLimitMs / 1000} s after its start`)
}
