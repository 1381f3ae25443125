import { request, type BrowserContextOptions } from 'playwright-core'
import { inject } from 'vitest'
import { copyCall } from '#testing/copied-call.ts'
import type { SharedCall } from './shared-call.ts'
import { addUser, Tokens, withDatabase, type KnownUser, type StackFacts } from './stack-users.ts'
import type { SharedStackKind } from './stack-host.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server of stack-host.ts. */
    stackHost: string
  }
}

/** A running product that all test files of a run share, with a super admin known only to the caller. */
export interface SharedStack extends StackFacts {
  admin: KnownUser
}

interface ShareOptions {
  /** Default: open. */
  kind?: SharedStackKind
  /** Whether the admin has an initial password, like the first admin. Default: true. */
  mustChangePassword?: boolean
}

/** Returns a shared stack, which starts when the first test file requests it. */
export async function shareStack({ kind = 'open', ...options }: ShareOptions = {}): Promise<SharedStack> {
  const stack = (await ask(kind)) as StackFacts // as stack-host.ts answers
  return { ...stack, admin: await addUser(stack, options) }
}

async function ask(what: SharedStackKind | 'call'): Promise<unknown> {
  const response = await fetch(`${inject('stackHost')}/${what}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return JSON.parse(text)
}

/** Gives the admin of an open stack the demo call, transcribed and optionally translated into English. Returns the recording's id. */
export async function giveCall(stack: SharedStack, { isTranslated = false } = {}): Promise<string> {
  const { recordingId } = (await ask('call')) as SharedCall // as stack-host.ts answers
  const target = { dataDir: stack.dataDir, ownerId: stack.admin.id, isTranslated }
  return withDatabase(stack, ({ connection }) => copyCall(connection, recordingId, target))
}

/** Signs a user in, by default the stack's admin, and returns the resulting browser storage, for a new context. */
export async function signedIn(
  { url, admin }: SharedStack,
  { email, password }: Pick<KnownUser, 'email' | 'password'> = admin,
): Promise<Pick<BrowserContextOptions, 'storageState'>> {
  const client = await request.newContext()
  const response = await client.post(`${url}/api/auth/signin`, { data: { email, password } })
  const tokens = Tokens.parse(await response.json())
  const { cookies } = await client.storageState()
  await client.dispose()
  const localStorage = Object.entries(tokens).map(([name, value]) => ({ name, value }))
  return { storageState: { cookies, origins: [{ origin: url, localStorage }] } }
}
