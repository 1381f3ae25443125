import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { auth } from '#contract/endpoints/auth.ts'
import { profile } from '#contract/endpoints/profile.ts'
import type { Role, User } from '#contract/entities/user.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { abortSessionWork } from '../api/session-signal.ts'
import { clearTokens, readAccessToken, readRefreshToken, saveTokens, type TokenPair } from '../api/tokens.ts'
import { leaveFor } from '../leave-for.ts'
import { forgetLikelyNames, forgetUnsent, forgetUser } from '../recordings/tab-data.ts'

/** The signed-in user, or null. Without an access token, no one is signed in; otherwise the profile decides (accounts spec., section 4). */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: loadSession,
  staleTime: Infinity,
  gcTime: Infinity,
})

async function loadSession(): Promise<User | null> {
  if (!readAccessToken()) {
    clearTokens()
    return null
  }
  try {
    const { user } = await call(profile.get)
    forgetUnsent(user.id)
    return user
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

type Session =
  | { status: 'loading' }
  | { status: 'unreachable'; retry: () => void }
  | { status: 'anonymous' }
  | { status: 'signed_in'; user: User }

/** Returns the state of the session, as far as known. */
export function useSession(): Session {
  const { data, isPending, isError, refetch } = useQuery(sessionQuery)
  if (data) return { status: 'signed_in', user: data }
  if (isPending) return { status: 'loading' }
  if (isError) return { status: 'unreachable', retry: () => void refetch() }
  return { status: 'anonymous' }
}

/** Returns the signed-in user. Only for screens behind the gate. */
export function useUser(): User {
  const session = useSession()
  if (session.status !== 'signed_in') throw new Error('This screen needs a signed-in user')
  return session.user
}

/** Returns the actions that change the session. */
export function useSessionActions() {
  const client = useQueryClient()
  return {
    /** Stores tokens and user after a successful sign-in; clears what a previous user left in the cache. */
    enter(pair: TokenPair, user: User) {
      saveTokens(pair)
      switchUser(client, user)
    },
    /** Updates the user everywhere. */
    setUser: (user: User) => client.setQueryData(sessionQuery.queryKey, user),
    reload: () => client.invalidateQueries(sessionQuery),
    leave: () => leaveSession(client),
    signOut: () => signOut(client),
  }
}

/** Clears the tokens and all data fetched with them. */
export function leaveSession(client: QueryClient): void {
  clearTokens()
  switchUser(client, null)
}

/** Clears the previous user's data. Session and server facts are still observed, so they are set, not removed. */
function switchUser(client: QueryClient, user: User | null): void {
  abortSessionWork()
  forgetLikelyNames()
  // If a session has expired, its user continues with the unsent changes after signing in again; no one else reads them.
  if (user) forgetUnsent(user.id)
  client.setQueryData(sessionQuery.queryKey, user)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' && queryKey[0] !== 'config' })
}

/**
 * Ends the session on the server, then clears tokens and the current recording regardless of the outcome. If the provider through which the
 * user signed in has its own session, the browser goes there to end it. Throws ApiError.
 */
async function signOut(client: QueryClient): Promise<void> {
  let address: string | undefined
  try {
    address = (await call(auth.signOut, { body: { refresh_token: readRefreshToken() } })).redirect_to
  } finally {
    forgetUser()
    leaveSession(client)
  }
  if (address) leaveFor(address)
}

/** Checks roles as the specification's client helpers do (accounts specification, section 6). */
export function isAdmin(user: { role: Role }): boolean {
  return user.role === 'admin' || user.role === 'super_admin'
}

/** Returns whether the server requires a second factor for the user's account, now or soon, and it has none. */
export function isTwoFactorMissing(user: User): boolean {
  return user.two_factor_due !== null && !user.two_factor_enabled && !user.has_passkey
}

export function isSuperAdmin(user: { role: Role }): boolean {
  return user.role === 'super_admin'
}
