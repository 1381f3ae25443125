import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { AuthLayout } from './auth-layout.tsx'
import { SignInView } from './sign-in-view.tsx'

// Loaded lazily, since most visitors only sign in.
const RegisterView = lazy(async () => ({ default: (await import('./register-view.tsx')).RegisterView }))
const ForgotPassword = lazy(async () => ({ default: (await import('./forgot-password.tsx')).ForgotPassword }))
const VerificationPending = lazy(async () => ({
  default: (await import('./verification-pending.tsx')).VerificationPending,
}))

type Mode =
  { name: 'login' } | { name: 'register' } | { name: 'forgot-password' } | { name: 'email-verification'; email: string }

/** The authentication screen: shown at /login and /signup, and instead of any page to visitors who are not signed in. */
export function AuthPage() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [mode, setMode] = useState<Mode>(pathname === '/signup' ? { name: 'register' } : { name: 'login' })

  // /login and /signup follow the mode; the address of any other page stays, so that signing in leads there.
  function show(next: Mode) {
    setMode(next)
    if (pathname === '/login' || pathname === '/signup') {
      void navigate(next.name === 'register' ? '/signup' : '/login', { replace: true })
    }
  }

  const toLogin = () => show({ name: 'login' })
  if (mode.name === 'register') {
    return <RegisterView onRegistered={(email) => show({ name: 'email-verification', email })} onLogin={toLogin} />
  }
  if (mode.name === 'forgot-password') return <ForgotPassword onDone={toLogin} />
  if (mode.name === 'email-verification') {
    return (
      <AuthLayout
        title={t('Check Your Email')}
        subtitle={t('Open the link we sent, then set up two-factor authentication.')}
      >
        <Suspense>
          <VerificationPending email={mode.email} onBack={toLogin} />
        </Suspense>
      </AuthLayout>
    )
  }
  return <SignInView onForgot={() => show({ name: 'forgot-password' })} onRegister={() => show({ name: 'register' })} />
}
