import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../../shared/api/api-error.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { ProviderDialog } from './provider-dialog.tsx'
import { ProviderRow } from './provider-row.tsx'
import classes from './providers.module.css'
import { useProviders } from './use-providers.ts'

/** Other systems that vouch for people: OpenID providers and directories. */
export function ProvidersPanel() {
  const { data, isPending, error, refetch } = useProviders()
  const [isAdding, adding] = useDisclosure(false)
  return (
    <Panel
      title={t('Single sign-on')}
      icon={<IconPlugConnected size={20} stroke={1.5} aria-hidden />}
      isFlush
      actions={
        data &&
        data.length > 0 && (
          <Button size="xs" onClick={adding.open}>
            {t('Add provider')}
          </Button>
        )
      }
    >
      {isPending && <LoadingNotice label={t('Loading the providers')} />}
      {error && (
        <ErrorNotice message={messageOf(error, t('Network error. Please try again.'))} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && (
        <Notice
          title={t('People sign in with a password of Awaz')}
          icon={<IconPlugConnected size={22} stroke={1.5} />}
          action={<Button onClick={adding.open}>{t('Add provider')}</Button>}
        >
          {t(
            'Connect Keycloak, Microsoft Entra ID, Active Directory or another directory, and people sign in with the account they have there. New people get an account by themselves, and groups decide their role. Whoever has a password here keeps it, so that administrators get in while a provider is down.',
          )}
        </Notice>
      )}
      {data && data.length > 0 && (
        <ul className={classes.providers}>
          {data.map((provider) => (
            <ProviderRow key={provider.id} provider={provider} />
          ))}
        </ul>
      )}
      <ProviderDialog isOpen={isAdding} onClose={adding.close} />
    </Panel>
  )
}
