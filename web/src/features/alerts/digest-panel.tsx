import { Alert, Select, Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { DigestMode, type AlertDigest } from '#contract/alerts.ts'
import { alerts as endpoints } from '#contract/endpoints/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toastError } from '../../shared/toast.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'

const queryKey = ['alerts', 'digest']
const modes = [
  { value: 'off', label: t('None') },
  { value: 'immediately', label: t('When a job has raised alerts') },
  { value: 'hourly', label: t('Every hour, if there are new ones') },
  { value: 'daily', label: t('Once a day, if there are new ones') },
]
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** Which mails about alerts the user gets; each choice is stored at once. */
export function DigestPanel() {
  const client = useQueryClient()
  const { data: digest, isError, refetch } = useQuery({ queryKey, queryFn: () => call(endpoints.getDigest) })
  const { mutate } = useMutation({
    networkMode: 'always',
    scope: { id: 'alert-digest' },
    mutationFn: (body: AlertDigest) => call(endpoints.changeDigest, { body }),
    onSuccess: (stored) => client.setQueryData(queryKey, stored),
    onError: (error) => {
      toastError(messageOf(error, t('The choice of mails could not be saved.')))
      void client.invalidateQueries({ queryKey })
    },
  })
  if (isError) return <ErrorNotice message={t('Your choice could not be loaded.')} onRetry={() => void refetch()} />
  if (!digest) return <LoadingNotice label={t('Loading your choice')} />
  const { can_send: canSend, ...current } = digest

  function change(changes: Partial<AlertDigest>) {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const body = { ...current, time_zone, ...changes }
    client.setQueryData(queryKey, { ...body, can_send: canSend })
    mutate(body)
  }

  return (
    <Panel title={t('E-mails about alerts')}>
      <Stack gap="md" maw="34rem">
        {!canSend && (
          <Alert color="amber">
            {t('This server has no mail server, so no mails are sent. Your administrator can set one up.')}
          </Alert>
        )}
        <Select
          label={t('Mails')}
          data={modes}
          value={digest.mode}
          onChange={(mode) => change({ mode: DigestMode.parse(mode) })}
        />
        {digest.mode === 'daily' && (
          <Select
            label={t('Time of day')}
            description={t('In your time zone, {timeZone}', { timeZone: digest.time_zone })}
            data={hours}
            value={String(digest.hour)}
            onChange={(hour) => change({ hour: Number(hour) })}
          />
        )}
        {digest.mode !== 'off' && (
          <Switch
            label={t('Quote recordings and sentences')}
            description={t(
              'Mails pass through servers of others. Without this they only count your alerts and link to the inbox.',
            )}
            checked={digest.with_content}
            onChange={({ currentTarget }) => change({ with_content: currentTarget.checked })}
          />
        )}
        <Text size="sm" c="dimmed">
          {t('A mail tells each alert once, and none that you have reviewed or dismissed before.')}
        </Text>
      </Stack>
    </Panel>
  )
}
