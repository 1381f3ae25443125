import { Button, Center } from '@mantine/core'
import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { t } from '#contract/texts/t.ts'
import { useRatePause } from '../shared/api/rate-pause.ts'
import { useIsServerConfigPending, useServerConfig } from '../shared/config.ts'
import { isTwoFactorMissing, useSession } from '../shared/session/session.ts'
import { Notice } from '../shared/ui/notice.tsx'
import { FullScreenLoader } from './full-screen-loader.tsx'
import { useIsHomeLoading } from './preload-home.ts'
import {
  AuthPage,
  ForcedPasswordPage,
  LibraryClosedPage,
  TwoFactorRequiredPage,
  VerificationRequiredPage,
} from './pages.ts'

/** Lets the page on screen request its data first. */
const delayMs = 2000

/** Loads the scripts of the workspace, the largest page, while the browser is idle: most people open a recording next. */
function WorkspacePreload() {
  useEffect(() => {
    if (!('requestIdleCallback' in window)) return
    let id = 0
    const timer = setTimeout(() => {
      // If this fails, the page itself loads them.
      id = requestIdleCallback(() => {
        import('../features/workspace/workspace-page.tsx').catch(() => undefined)
      })
    }, delayMs)
    return () => {
      clearTimeout(timer)
      cancelIdleCallback(id)
    }
  }, [])
  return null
}

/** Rarely needed, so not part of the first load. */
const RatePauseScreen = lazy(async () => ({ default: (await import('./rate-pause-screen.tsx')).RatePauseScreen }))

/** Lets in signed-in users who have done what the server's configuration requires (accounts specification, section 2). */
export function Gate({ children }: { children: ReactNode }) {
  const session = useSession()
  const config = useServerConfig()
  const isConfigPending = useIsServerConfigPending()
  const isHomeLoading = useIsHomeLoading()
  const isUndecided = session.status === 'signed_in' && isConfigPending
  if (session.status === 'loading' || isUndecided) return <SessionLoader />
  if (session.status === 'unreachable') return <Unreachable onRetry={session.retry} />
  if (session.status === 'anonymous') return <AuthPage />
  const { user } = session
  if (user.must_change_password) return <ForcedPasswordPage />
  if (config?.gate_requires_verified && !user.is_verified) return <VerificationRequiredPage />
  if (isTwoFactorMissing(user) && !user.two_factor_grace) return <TwoFactorRequiredPage />
  if (user.library_closure) return <LibraryClosedPage closure={user.library_closure} />
  if (isHomeLoading) return <FullScreenLoader label={t('Loading')} />
  return (
    <>
      <WorkspacePreload />
      {children}
    </>
  )
}

function SessionLoader() {
  const pauseEndsAtMs = useRatePause()
  const loader = <FullScreenLoader label={t('Checking authentication')} />
  if (pauseEndsAtMs === 0) return loader
  return (
    <Suspense fallback={loader}>
      <RatePauseScreen endsAtMs={pauseEndsAtMs} />
    </Suspense>
  )
}

function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <Center mih="100dvh" component="main">
      <Notice
        title={t('Awaz cannot be reached')}
        tone="error"
        icon={<IconCloudOff size={22} stroke={1.5} />}
        action={<Button onClick={onRetry}>{t('Try again')}</Button>}
      >
        {t('Network error. Please check your connection and try again. You are still signed in.')}
      </Notice>
    </Center>
  )
}
