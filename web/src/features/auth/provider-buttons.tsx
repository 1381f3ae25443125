import { Alert, Button } from '@mantine/core'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { OfferedProvider } from '#contract/entities/offered-provider.ts'
import { sso } from '#contract/endpoints/sso.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { leaveFor } from '../../shared/leave-for.ts'
import { rememberReturnPath } from '../../shared/session/return-path.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ssoMessage } from './sso-errors.ts'

interface ProviderButtonsProps {
  providers: OfferedProvider[]
  rememberMe: boolean
  onDirectory: (provider: OfferedProvider) => void
}

/** A button per provider: an OpenID provider takes the browser to its own page, a directory asks on this page. */
export function ProviderButtons({ providers, rememberMe, onDirectory }: ProviderButtonsProps) {
  const start = useMutation({
    mutationFn: async ({ id }: OfferedProvider) => {
      const { redirect_to: address } = await call(sso.start, { params: { id }, body: { remember_me: rememberMe } })
      rememberReturnPath()
      if (!leaveFor(address))
        throw new Error(t('The provider gave an address that cannot be opened. Ask your administrator.'))
    },
  })
  const chosen = start.variables
  // Still busy after success, while the browser navigates: a second click would start a second sign-in.
  const isLeaving = start.isPending || start.isSuccess

  const { reset } = start
  useEffect(() => {
    // The browser's Back button may restore this page from its cache, with the button still busy.
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && reset()
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [reset])

  return (
    <>
      {start.isError && chosen && (
        <Alert role="alert" color="red" withCloseButton closeButtonLabel={t('Dismiss')} onClose={reset}>
          {ssoMessage(start.error, chosen.name)}
        </Alert>
      )}
      {providers.map((provider) => (
        <Button
          key={provider.id}
          variant="default"
          size="md"
          fullWidth
          leftSection={
            provider.kind === 'oidc' ? (
              <IconShieldLock size={18} stroke={1.5} aria-hidden />
            ) : (
              <IconBuilding size={18} stroke={1.5} aria-hidden />
            )
          }
          loading={isLeaving && chosen?.id === provider.id}
          disabled={isLeaving}
          onClick={() => (provider.kind === 'oidc' ? start.mutate(provider) : onDirectory(provider))}
        >
          <span>{rich('Continue with {name}', { name: <Isolated>{provider.name}</Isolated> })}</span>
        </Button>
      ))}
    </>
  )
}
