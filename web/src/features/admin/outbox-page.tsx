import { Button, Modal, Text } from '@mantine/core'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { superAdmin } from '#contract/endpoints/admin.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { AccessDenied, ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import classes from './admin.module.css'

/** Mails of a server without a mail server, handed over by hand. */
export function OutboxPage() {
  if (!isSuperAdmin(useUser())) {
    return <AccessDenied>You need super admin privileges to access this page.</AccessDenied>
  }
  return <Outbox />
}

function Outbox() {
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ['outbox'],
    queryFn: () => call(superAdmin.outbox),
  })
  const [openId, setOpenId] = useState<string>()
  return (
    <Page
      title="Outbox"
      width="narrow"
      lead="No mail server is set, so verification links and codes wait here. Reading one is written to the audit trail."
      actions={
        <Button variant="default" onClick={() => void refetch()}>
          Refresh
        </Button>
      }
    >
      <div className={classes.surface}>
        {isError && <ErrorNotice message="The outbox could not be loaded." onRetry={() => void refetch()} />}
        {isPending && <LoadingNotice label="Loading the outbox" />}
        {data?.mails.length === 0 && (
          <Notice title="Nothing is waiting" icon={<IconInbox size={22} stroke={1.5} />}>
            {data.is_smtp_configured
              ? 'Mails go out through your mail server.'
              : 'A mail appears here when somebody registers or forgets a password.'}
          </Notice>
        )}
        {data && data.mails.length > 0 && (
          <ul className={classes.rows}>
            {data.mails.map((mail) => (
              <li key={mail.id} className={classes.row}>
                <div>
                  <Text fw={560}>{mail.subject}</Text>
                  <Text size="sm" c="dimmed">
                    to {mail.to} · {formatAgo(mail.created_at)} · valid until {formatMoment(mail.expires_at)}
                  </Text>
                </div>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Read ${mail.subject} to ${mail.to}`}
                  onClick={() => setOpenId(mail.id)}
                >
                  Read
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      <Modal opened={Boolean(openId)} onClose={() => setOpenId(undefined)} title="Mail" size="lg">
        {openId && <Mail id={openId} />}
      </Modal>
    </Page>
  )
}

function Mail({ id }: { id: string }) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['outbox-mail', id],
    queryFn: () => call(superAdmin.readMail, { params: { id } }),
    // Each reading is audited, so what was read once is not fetched again behind the reader's back.
    staleTime: Infinity,
  })
  if (isError) return <ErrorNotice message="This mail is no longer here." onRetry={() => void refetch()} />
  if (!data) return <LoadingNotice label="Loading the mail" />
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        To {data.to}: {data.subject}
      </Text>
      <pre className={classes.mail}>{data.text}</pre>
    </>
  )
}
