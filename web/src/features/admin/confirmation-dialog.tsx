import { Modal } from '@mantine/core'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { setConfirmation } from '../../shared/api/client.ts'
import { ConfirmPassword } from '../security/confirm-password.tsx'

/**
 * Asks for the password and second factor if the server requires them for an administrative call, which is then repeated
 * (docs/decisions/step-up-for-administration.md). It is on every administration page, and on the page of a case that an admin manages
 * for another owner, so that no action has to ask by itself.
 */
export function ConfirmationDialog() {
  const [settle, setSettle] = useState<(isConfirmed: boolean) => void>()

  useEffect(() => {
    let leave: ((isConfirmed: boolean) => void) | undefined
    const ask = () =>
      new Promise<boolean>((resolve) => {
        leave = resolve
        setSettle(() => resolve)
      })
    const unset = setConfirmation(ask)
    return () => {
      unset()
      // A person who leaves the page has not confirmed.
      leave?.(false)
    }
  }, [])

  function close(isConfirmed: boolean) {
    settle?.(isConfirmed)
    setSettle(undefined)
  }

  const closeByEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || !settle) return
    event.stopImmediatePropagation()
    close(false)
  })

  // Every open Mantine dialog listens for Escape on the window. This listener has to come first, so that the form below stays open; a
  // layout effect runs before the effects of dialogs that are mounted with the page.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => closeByEscape(event)
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])

  return (
    <Modal
      opened={settle !== undefined}
      onClose={() => close(false)}
      closeOnEscape={false}
      title={t('Confirm that it is you')}
      zIndex={300}
    >
      <ConfirmPassword
        confirmLabel={t('Continue')}
        isEveryFactor
        afterSignIn={t('Then try again.')}
        onConfirmed={() => close(true)}
        onCancel={() => close(false)}
      >
        {t('Your confirmation lasts five minutes.')}
      </ConfirmPassword>
    </Modal>
  )
}
