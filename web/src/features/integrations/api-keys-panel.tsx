import { Badge, Box, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { integrations } from '#contract/endpoints/integrations.ts'
import { maxApiKeys, type ApiKey } from '#contract/entities/api-key.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatDate } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import classes from './api-keys-panel.module.css'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { useApiKeys, useRefreshIntegrations } from './use-integrations.ts'
import common from '../../shared/ui/common.module.css'
import { ListRow } from '../../shared/ui/list-row.tsx'

const soonMs = 14 * 24 * 3_600_000
const scopeNames = { read: t('Read|access'), write: t('Read and write') } as const

/** The user's API keys, each with a button to revoke it. */
export function ApiKeysPanel() {
  const { data, isPending, isError, refetch } = useApiKeys()
  const [isCreating, creating] = useDisclosure(false)
  return (
    <Panel
      title={t('API keys')}
      icon={<IconKey size={20} stroke={1.5} aria-hidden />}
      isFlush
      actions={
        <Button size="xs" onClick={creating.open} disabled={!data || data.length >= maxApiKeys}>
          {t('Create API key')}
        </Button>
      }
    >
      <Text py="md" px={20} c="dimmed" size="sm">
        {t(
          'Programs with a key upload, transcribe and read recordings as you. Account, password and administration stay closed to them.',
        )}
      </Text>
      {isPending && <LoadingNotice label={t('Loading your API keys')} />}
      {isError && <ErrorNotice message={t('Your API keys could not be loaded.')} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text p="0 1.25rem 1.25rem">{t('You have no API keys.')}</Text>}
      {data && data.length > 0 && (
        <ul>
          {data.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      <CreateKeyDialog isOpen={isCreating} onClose={creating.close} />
    </Panel>
  )
}

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { refreshKeys } = useRefreshIntegrations()
  const [isConfirming, confirming] = useDisclosure(false)
  const revoke = useMutation({
    mutationFn: () => call(integrations.revokeKey, { params: { id: apiKey.id } }),
    onSuccess: () => {
      toastSuccess(t('API key revoked'))
      confirming.close()
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
    onSettled: refreshKeys,
  })
  return (
    <ListRow className={common.lineAbove}>
      <Box miw={0} className={common.wrap}>
        <Text component="div" fw={560} className={classes.name}>
          <Isolated>{apiKey.name}</Isolated>
          <Badge variant="light" color={apiKey.scope === 'write' ? 'accent' : 'gray'}>
            {scopeNames[apiKey.scope]}
          </Badge>
          <Expiry expiresAt={apiKey.expires_at} />
        </Text>
        <Text size="sm" c="dimmed">
          <code dir="ltr">{apiKey.prefix}…</code> · {describeUse(apiKey)} ·{' '}
          {t('expires {date}', { date: formatDate(apiKey.expires_at) })}
        </Text>
      </Box>
      <Button
        variant="default"
        size="compact-sm"
        onClick={confirming.open}
        aria-label={t('Revoke {name}', { name: apiKey.name })}
      >
        {t('Revoke')}
      </Button>
      <ConfirmDialog
        title={t('Revoke API key')}
        confirmLabel={t('Revoke')}
        isOpen={isConfirming}
        isBusy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={confirming.close}
      >
        {rich('Programs that use {name} stop working at once. This cannot be undone.', {
          name: <Isolated>{apiKey.name}</Isolated>,
        })}
      </ConfirmDialog>
    </ListRow>
  )
}

function Expiry({ expiresAt }: { expiresAt: string }) {
  const [now] = useState(() => Date.now())
  const leftMs = new Date(expiresAt).getTime() - now
  if (leftMs > soonMs) return null
  return leftMs <= 0 ? <Badge color="red">{t('Expired')}</Badge> : <Badge color="amber">{t('Expires soon')}</Badge>
}

function describeUse({ last_used_at: usedAt, last_used_from: address }: ApiKey): string {
  if (!usedAt) return t('never used')
  const moment = formatAgo(usedAt)
  return address ? t('last used {moment} from {address}', { moment, address }) : t('last used {moment}', { moment })
}
