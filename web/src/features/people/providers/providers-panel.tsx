import { Button, Badge, Box, Group, Modal, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import type { SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { messageOf } from '../../../shared/api/api-error.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { toastSuccess } from '../../../shared/toast.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx'
import common from '../../../shared/ui/common.module.css'
import { ProviderDialog } from './provider-dialog.tsx'
import classes from './providers.module.css'
import { useProviders, useProviderActions } from './use-providers.ts'
import { TestPanel } from './test-panel.tsx'

const kindNames = { oidc: 'OpenID Connect', ldap: t('Directory') }

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

/** One provider: its state, how many people use it, and what can be done with it. */
function ProviderRow({ provider }: { provider: SignInProvider }) {
  const { name, kind, is_enabled: isEnabled, users } = provider
  const { toggle, remove } = useProviderActions(provider)
  const [opened, setOpened] = useState<'test' | 'change' | 'remove'>()
  const close = () => setOpened(undefined)

  function removeProvider() {
    remove.mutate(undefined, { onSuccess: () => toastSuccess(t('{name} removed', { name: isolateName(name) })) })
  }

  return (
    <Stack component="li" gap="sm" py="md" px={20} className={common.lineBetween} aria-label={name}>
      <Group align="flex-start" justify="space-between" wrap="nowrap">
        <Box miw={0}>
          <Text component="div" fw={560}>
            <Isolated>{name}</Isolated> <Badge color="gray">{kindNames[kind]}</Badge>
          </Text>
          <Text size="sm" c="dimmed" dir="ltr" ta="start" className={common.wrap}>
            {kind === 'oidc' ? provider.issuer : provider.url}
          </Text>
          <Text size="sm" c="dimmed">
            {users === 0
              ? t('Nobody has signed in with it yet')
              : t('{users, plural, one {# person linked} other {# people linked}}', { users })}
          </Text>
        </Box>
        <Switch
          checked={isEnabled}
          disabled={toggle.isPending}
          onChange={(event) => toggle.mutate(event.currentTarget.checked)}
          label={isEnabled ? t('Offered') : t('Off')}
          aria-label={t('Offer {name} on the sign-in page', { name })}
        />
      </Group>
      <Group gap="xs" align="stretch">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('Test {name}', { name })}
          onClick={() => setOpened('test')}
        >
          {t('Test')}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('Change {name}', { name })}
          onClick={() => setOpened('change')}
        >
          {t('Change')}
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-label={t('Remove {name}', { name })}
          onClick={() => setOpened('remove')}
        >
          {t('Remove')}
        </Button>
      </Group>
      <Modal opened={opened === 'test'} onClose={close} title={t('Test {name}', { name: isolateName(name) })}>
        <TestPanel provider={provider} />
      </Modal>
      <ProviderDialog isOpen={opened === 'change'} provider={provider} onClose={close} />
      <ConfirmDialog
        title={t('Remove {name}', { name: isolateName(name) })}
        confirmLabel={t('Remove provider')}
        isOpen={opened === 'remove'}
        isBusy={remove.isPending}
        onConfirm={removeProvider}
        onClose={close}
      >
        <Text>{describeLoss(provider)}</Text>
        <Text c="dimmed" mt="xs">
          {t('To keep everything and only stop offering it, switch it off instead.')}
        </Text>
      </ConfirmDialog>
    </Stack>
  )
}

function describeLoss({ users }: SignInProvider): string {
  if (users === 0) return t('Nobody has signed in with it, so nobody loses anything. Its settings are deleted.')
  return t(
    '{users, plural, one {# person is linked to it. The account and its recordings stay, the links are deleted, and sessions that began there end at once. Whoever has no password here gets one from a super admin, by “Reset Password” on the page of the user.} other {# people are linked to it. Their accounts and recordings stay, the links are deleted, and sessions that began there end at once. Whoever has no password here gets one from a super admin, by “Reset Password” on the page of the user.}}',
    { users },
  )
}
