import { Button, Group, Modal, Text } from '@mantine/core'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { superAdmin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import { ApiError, isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { toastError, toastLoading, toastSuccess } from '../../shared/toast.tsx'
import { AccessDenied, ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { useCopied } from '../../shared/use-copied.ts'
import classes from './admin.module.css'
import { ConsolePage } from './console-page.tsx'

const queryKey = ['outbox']

type OutboxMail = Response<typeof superAdmin.outbox>['mails'][number]

/** Mails that were not sent: to be handed over by hand where there is no mail server, else to be retried. */
export function OutboxPage() {
  if (!isSuperAdmin(useUser())) {
    return <AccessDenied>You need super admin privileges to access this page.</AccessDenied>
  }
  return <Outbox />
}

function Outbox() {
  const { data, isPending, isError, refetch } = useQuery({ queryKey, queryFn: () => call(superAdmin.outbox) })
  const [openId, setOpenId] = useState<string>()
  const hasServer = data?.is_smtp_configured ?? false
  return (
    <ConsolePage
      title="Outbox"
      lead={
        hasServer
          ? 'Mails that the mail server did not take wait here and are tried again. Reading one is written to the audit trail.'
          : 'No mail server is set, so verification links and codes wait here. Reading one is written to the audit trail.'
      }
      actions={
        <Group gap="xs">
          {hasServer && <TestMailButton />}
          <Button variant="default" onClick={() => void refetch()}>
            Refresh
          </Button>
        </Group>
      }
    >
      <div className={classes.surface}>
        {isError && <ErrorNotice message="The outbox could not be loaded." onRetry={() => void refetch()} />}
        {isPending && <LoadingNotice label="Loading the outbox" />}
        {data?.mails.length === 0 && (
          <Notice title="Nothing is waiting" icon={<IconInbox size={22} stroke={1.5} />}>
            {hasServer
              ? 'Mails go out through your mail server.'
              : 'A mail appears here when somebody registers or forgets a password.'}
          </Notice>
        )}
        {data && data.mails.length > 0 && (
          <ul className={classes.rows}>
            {data.mails.map((mail) => (
              <OutboxRow key={mail.id} mail={mail} canSend={hasServer} onRead={() => setOpenId(mail.id)} />
            ))}
          </ul>
        )}
      </div>
      <Modal opened={Boolean(openId)} onClose={() => setOpenId(undefined)} title="Mail" size="lg">
        {openId && <Mail id={openId} />}
      </Modal>
    </ConsolePage>
  )
}

function formatSoon(iso: string): string {
  return Date.parse(iso) - Date.now() < 60_000 ? 'within a minute' : formatAgo(iso)
}

interface OutboxRowProps {
  mail: OutboxMail
  canSend: boolean
  onRead: () => void
}

function OutboxRow({ mail, canSend, onRead }: OutboxRowProps) {
  const client = useQueryClient()
  const send = useMutation({
    mutationFn: () => call(superAdmin.sendMail, { params: { id: mail.id } }),
    onSuccess: ({ message }) => toastSuccess(message),
    onError: (error) => {
      if (!isSessionExpired(error)) toastError(reasonOf(error))
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <li className={classes.row}>
      <div>
        <Text fw={560}>{mail.subject}</Text>
        <Text size="sm" c="dimmed">
          to {mail.to} · {formatAgo(mail.created_at)} · valid until {formatMoment(mail.expires_at)}
          {mail.last_error && mail.next_try_at && ` · next try ${formatSoon(mail.next_try_at)}`}
        </Text>
        {mail.last_error && (
          <Text size="sm" c="var(--mantine-color-error)">
            {mail.attempts === 1 ? '1 try failed' : `${mail.attempts} tries failed`}: {mail.last_error}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {canSend && (
          <Button
            variant="default"
            size="xs"
            loading={send.isPending}
            aria-label={`Send ${mail.subject} to ${mail.to} now`}
            onClick={() => send.mutate()}
          >
            Send now
          </Button>
        )}
        <Button variant="default" size="xs" aria-label={`Read ${mail.subject} to ${mail.to}`} onClick={onRead}>
          Read
        </Button>
      </Group>
    </li>
  )
}

/** Sends a test mail to the user's own address. */
function TestMailButton() {
  const [isBusy, setIsBusy] = useState(false)
  async function send() {
    setIsBusy(true)
    const toast = toastLoading('Sending a test mail…')
    try {
      toast.succeed((await call(superAdmin.testMail, { body: {} })).message)
    } catch (error) {
      toast.fail(reasonOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void send()}>
      Send test mail
    </Button>
  )
}

/** Returns the reply of the mail server, or else the message of the error. */
function reasonOf(error: unknown): string {
  const message = messageOf(error, 'Network error. Please try again.')
  return error instanceof ApiError && error.details.length > 0 ? `${message}: ${error.details.join(' ')}` : message
}

function Mail({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['outbox-mail', id],
    queryFn: () => call(superAdmin.readMail, { params: { id } }),
    // Each reading is audited, so a mail that was read is never fetched again in the background.
    staleTime: Infinity,
  })
  if (isError) return <ErrorNotice message="This mail is no longer here." onRetry={() => void refetch()} />
  if (!data) return <LoadingNotice label="Loading the mail" />
  const link = /https?:\/\/\S+/.exec(data.text)?.[0]
  const code = /^\s*(\d{6})$/m.exec(data.text)?.[1]
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        To {data.to}: {data.subject}
      </Text>
      <pre className={classes.mail}>{data.text}</pre>
      <div className={classes.dialogActions}>
        {code && <CopyButton label="Copy code" text={code} />}
        {link && <CopyButton label="Copy link" text={link} />}
      </div>
    </>
  )
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const { isCopied, copy } = useCopied(() => toastError('The browser refused to copy'))
  return (
    <Button variant="default" onClick={() => void copy(text)}>
      {isCopied ? 'Copied' : label}
    </Button>
  )
}
