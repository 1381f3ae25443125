import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { onGateClosed, onSessionExpired } from '../shared/api/client.ts'
import { onTokensChangedElsewhere, readAccessToken } from '../shared/api/tokens.ts'
import { leaveSession, sessionQuery, useSession } from '../shared/session/session.ts'
import { toastError } from '../shared/toast.tsx'

/** Time to read the reason before the sign-in screen appears (accounts specification, section 9). */
const redirectDelayMs = 2000

const FollowJobs = lazy(async () => ({ default: (await import('./follow-jobs.tsx')).FollowJobs }))

/** Shows the sign-in screen when the session ends, here or in another tab, and follows the signed-in user's jobs. */
export function SessionWatch() {
  const client = useQueryClient()
  const navigate = useNavigate()

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onSessionExpired(() => {
      const wasSignedIn = Boolean(client.getQueryData(sessionQuery.queryKey))
      if (!wasSignedIn) {
        void navigate('/login')
        return
      }
      if (timer) return
      toastError(t('Your session has expired. Please log in again.'))
      timer = setTimeout(() => {
        timer = undefined
        if (readAccessToken()) return
        leaveSession(client)
        void navigate('/login')
      }, redirectDelayMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [client, navigate])

  // The gate may close while the user is working, for example at the end of a grace period.
  useEffect(() => onGateClosed(() => void client.invalidateQueries(sessionQuery)), [client])

  useEffect(
    () =>
      onTokensChangedElsewhere(() => {
        const isSignedIn = Boolean(client.getQueryData(sessionQuery.queryKey))
        const hasToken = readAccessToken() !== undefined
        if (isSignedIn && !hasToken) leaveSession(client)
        if (!isSignedIn && hasToken) void client.invalidateQueries(sessionQuery)
      }),
    [client],
  )
  const session = useSession()
  if (session.status !== 'signed_in') return null
  return (
    <Suspense>
      <FollowJobs key={session.user.id} userId={session.user.id} />
    </Suspense>
  )
}
