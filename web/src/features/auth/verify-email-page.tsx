import { Button, Group, List, Loader, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { auth } from '#contract/endpoints/auth.ts'
import type { Response } from '#contract/endpoint.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useSession, useSessionActions } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { linkToSupport } from './link-to-support.tsx'

type State = { name: 'loading' } | { name: 'success' } | { name: 'pending_2fa' } | { name: 'error'; message: string }

/** Time to read about the next step before it opens. */
const redirectDelayMs = 2000

type Verification = Promise<Response<typeof auth.verifyEmail>>
// One call per token: the link works only once, and React runs effects twice in development.
const verifications = new Map<string, Verification>()

function verifyOnce(token: string): Verification {
  const running = verifications.get(token) ?? call(auth.verifyEmail, { body: { token } })
  verifications.set(token, running)
  return running
}

/** The target of the verification mail's link (accounts specification, section 2). */
export function VerifyEmailPage() {
  const [search] = useSearchParams()
  const token = search.get('token')
  if (!token) return <TokenMissing email={search.get('email')} />
  return <Verifying token={token} />
}

function Verifying({ token }: { token: string }) {
  const navigate = useNavigate()
  const session = useSessionActions()
  const [state, setState] = useState<State>({ name: 'loading' })
  const refreshUser = useEffectEvent(() => void session.reload())
  const setUpTwoFactor = useEffectEvent((userId: string) => void navigate(`/registration-2fa?user_id=${userId}`))

  useEffect(() => {
    let isUnmounted = false
    let timer: ReturnType<typeof setTimeout> | undefined
    function succeed({ requires_2fa_setup: isSetupNext, user_id: userId }: Awaited<Verification>) {
      if (isUnmounted) return
      refreshUser()
      setState(isSetupNext ? { name: 'pending_2fa' } : { name: 'success' })
      if (isSetupNext) timer = setTimeout(() => setUpTwoFactor(userId), redirectDelayMs)
    }
    function fail(error: unknown) {
      const message = messageOf(error, t('There was an error verifying your email address.'))
      if (!isUnmounted) setState({ name: 'error', message })
    }
    verifyOnce(token).then(succeed, fail)
    return () => {
      isUnmounted = true
      clearTimeout(timer)
    }
  }, [token])

  return <VerifyState state={state} />
}

function VerifyState({ state }: { state: State }) {
  const navigate = useNavigate()
  if (state.name === 'loading') {
    return (
      <AuthLayout title={t('Verifying Email')} subtitle={t('One moment, please.')}>
        <div role="status" aria-label={t('Verifying your email')}>
          <Loader type="bars" size="sm" aria-hidden />
        </div>
      </AuthLayout>
    )
  }
  if (state.name === 'success') {
    return (
      <AuthLayout title={t('Email Verified')} subtitle={t('Your address is confirmed.')}>
        <Button onClick={() => void navigate('/dashboard')}>{t('Go to Dashboard')}</Button>
      </AuthLayout>
    )
  }
  if (state.name === 'pending_2fa') {
    return (
      <AuthLayout title={t('Email Verified')} subtitle={t('The next step is two-factor authentication.')}>
        <Text role="status">{t('Taking you to the set-up…')}</Text>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={t('Verification Failed')} subtitle={state.message}>
      <Group>
        <Button onClick={() => void navigate('/login')}>{t('Go to Login')}</Button>
        <Button variant="default" onClick={() => void navigate('/signup')}>
          {t('Sign Up Again')}
        </Button>
      </Group>
      <Help />
    </AuthLayout>
  )
}

function TokenMissing({ email }: { email: string | null }) {
  const session = useSession()
  const navigate = useNavigate()
  const address = email ?? (session.status === 'signed_in' ? session.user.email : null)
  const subtitle = address
    ? rich('The verification link was sent to {address}.', { address: <strong>{address}</strong> })
    : t('Open the verification link that was sent to you.')
  return (
    <AuthLayout title={t('Check Your Email')} subtitle={subtitle}>
      <Button onClick={() => void navigate('/login')}>{t('Go to Login')}</Button>
      <Help />
    </AuthLayout>
  )
}

function Help() {
  return (
    <div className={classes.fields}>
      <List size="sm" spacing={4} c="dimmed">
        <List.Item>{t('Check your spam folder.')}</List.Item>
        <List.Item>{t('Make sure the address is the one you registered with.')}</List.Item>
        <List.Item>{t('The link expires in 24 hours.')}</List.Item>
        <List.Item>{rich('Still nothing? <a>Contact support</a>.', { a: linkToSupport })}</List.Item>
      </List>
    </div>
  )
}
