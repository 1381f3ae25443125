import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { superAdmin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { useCopied } from '../../shared/use-copied.ts'
import classes from './admin.module.css'
import { adminKey } from './use-admin.ts'
import common from '../../shared/ui/common.module.css'
import { ListRow } from '../../shared/ui/list-row.tsx'

interface OutboxRowProps {
  mail: Response<typeof superAdmin.outbox>['mails'][number]
  canSend: boolean
  onRead: () => void
}

/** A waiting mail: its recipient, how often it was tried, why it failed and when it is tried next. */
export function OutboxRow({ mail, canSend, onRead }: OutboxRowProps) {
  const client = useQueryClient()
  const send = useMutation({
    mutationFn: () => call(superAdmin.sendMail, { params: { id: mail.id } }),
    onSuccess: ({ message }) => toastSuccess(message),
    onError: (error) => {
      if (!isSessionExpired(error)) toastError(describeMailError(error))
    },
    onSettled: () => client.invalidateQueries({ queryKey: [adminKey] }),
  })
  return (
    <ListRow className={`${common.lineBetween} ${common.wrap}`}>
      <div>
        <Group gap="xs">
          <Text fw={560}>
            <Isolated>{mail.subject}</Isolated>
          </Text>
          {mail.last_error && (
            <Badge color="red">
              {t('{attempts, plural, one {# try failed} other {# tries failed}}', { attempts: mail.attempts })}
            </Badge>
          )}
        </Group>
        <Text size="sm">{rich('to {address}', { address: <Isolated>{mail.to}</Isolated> })}</Text>
        {mail.last_error && (
          <Text size="sm" c="var(--mantine-color-error)">
            {mail.last_error}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {formatAgo(mail.created_at)} · {t('valid until {moment}', { moment: formatMoment(mail.expires_at) })}
          {mail.next_try_at && ` · ${describeNextTry(mail.attempts, formatSoon(mail.next_try_at))}`}
        </Text>
      </div>
      <Group gap="xs">
        {canSend && (
          <Button
            variant="default"
            size="xs"
            loading={send.isPending}
            aria-label={t('Send now: {subject} to {to}', { subject: mail.subject, to: mail.to })}
            onClick={() => send.mutate()}
          >
            {t('Send now')}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          aria-label={t('Read {subject} to {to}', { subject: mail.subject, to: mail.to })}
          onClick={onRead}
        >
          {t('Read')}
        </Button>
      </Group>
    </ListRow>
  )
}

function describeNextTry(attempts: number, moment: string): string {
  return attempts > 0 ? t('next try {moment}', { moment }) : t('first try {moment}', { moment })
}

function formatSoon(iso: string): string {
  return Date.parse(iso) - Date.now() < 60_000 ? t('within a minute') : formatAgo(iso)
}

/** Returns the mail server's reply if there is one, otherwise the error message. */
export function describeMailError(error: unknown): string {
  const message = messageOf(error, t('Network error. Please try again.'))
  return error instanceof ApiError && error.details.length > 0 ? `${message}: ${error.details.join(' ')}` : message
}

/** The text of a mail, with buttons to copy its code and its link. */
export function OutboxMail({ id }: { id: string }) {
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['outbox-mail', id],
    queryFn: () => call(superAdmin.readMail, { params: { id } }),
    // Each read is audited, so the mail is never refetched in the background.
    staleTime: Infinity,
  })
  if (isError) {
    const isMissing = error instanceof ApiError && error.status === 404
    const message = isMissing
      ? t('This mail is no longer here.')
      : messageOf(error, t('Network error. Please try again.'))
    return <ErrorNotice message={message} onRetry={() => void refetch()} />
  }
  if (!data) return <LoadingNotice label={t('Loading the mail')} />
  const link = /https?:\/\/\S+/.exec(data.text)?.[0]
  const code = /^\s*(\d{6})$/m.exec(data.text)?.[1]
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {rich('To {address}: {subject}', {
          address: <Isolated>{data.to}</Isolated>,
          subject: <Isolated>{data.subject}</Isolated>,
        })}
      </Text>
      <pre className={classes.mail}>{data.text}</pre>
      <Group gap="xs" justify="flex-end" mt={20}>
        {code && <CopyButton label={t('Copy code')} text={code} />}
        {link && <CopyButton label={t('Copy link')} text={link} />}
      </Group>
    </>
  )
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const { isCopied, copy } = useCopied(() => toastError(t('The browser refused to copy')))
  return (
    <Button variant="default" onClick={() => void copy(text)}>
      {isCopied ? t('Copied') : label}
    </Button>
  )
}
