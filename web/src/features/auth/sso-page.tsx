import { Button, Loader, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { sso, type SsoResult } from '#contract/endpoints/sso.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { linkToSupport } from './link-to-support.tsx'
import { ssoMessage, wordsOfFailure } from './sso-errors.ts'
import { SsoSteps } from './sso-steps.tsx'
import { useSso } from './use-sso.ts'

/** One call per ticket: a ticket works only once, and React runs effects twice in development. */
const exchanges = new Map<string, Promise<SsoResult>>()

function exchangeOnce(ticket: string): Promise<SsoResult> {
  const running = exchanges.get(ticket) ?? call(sso.finish, { body: { ticket } })
  exchanges.set(ticket, running)
  // The result holds the tokens, so it is dropped as soon as it arrives.
  const forget = () => exchanges.delete(ticket)
  running.then(forget, forget)
  return running
}

/** Where the server sends the browser after a provider's sign-in page, with a ticket or an error code. */
export function SsoPage() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  // Kept here because the address is cleared at once, so that the ticket stays neither in the history nor on screen.
  const [{ ticket, failureName }] = useState({ ticket: search.get('ticket'), failureName: search.get('error') })
  const state = useSso()
  const [failure, setFailure] = useState<unknown>()
  const accept = useEffectEvent(state.accept)
  const emptyAddress = useEffectEvent(() => void navigate('/sso', { replace: true }))
  const toLogin = () => void navigate('/login', { replace: true })

  useEffect(() => {
    emptyAddress()
    if (!ticket) return
    let isUnmounted = false
    function succeed(result: SsoResult) {
      if (!isUnmounted) accept(result)
    }
    function fail(error: unknown) {
      if (!isUnmounted) setFailure(error)
    }
    exchangeOnce(ticket).then(succeed, fail)
    return () => {
      isUnmounted = true
    }
  }, [ticket])

  if (state.step) {
    return <SsoSteps sso={state} step={state.step} providerName={t('Your organisation')} onCancel={toLogin} />
  }
  const error = state.error ?? failure
  // Also while navigating to the page behind sign-in.
  if (ticket && error === undefined) return <Exchanging />
  const message = ticket ? ssoMessage(error, t('Your organisation')) : wordsOfFailure(failureName ?? '')
  return <Failed message={message} onBack={toLogin} />
}

function Exchanging() {
  return (
    <AuthLayout title={t('Signing in')} subtitle={t('One moment, please.')}>
      <div role="status" aria-label={t('Signing you in')}>
        <Loader type="bars" size="sm" aria-hidden />
      </div>
    </AuthLayout>
  )
}

function Failed({ message, onBack }: { message: string; onBack: () => void }) {
  return (
    <AuthLayout title={t('You are not signed in')}>
      <Text role="alert">{message}</Text>
      <Button size="md" onClick={onBack} autoFocus>
        {t('Back to sign-in')}
      </Button>
      <Text size="sm" ta="center" c="dimmed">
        {rich('Does it happen again? <a>Contact support</a>', { a: linkToSupport })}
      </Text>
    </AuthLayout>
  )
}
