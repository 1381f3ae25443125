import { Button, Group, Stack, Text } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useQuery } from '@tanstack/react-query'
import { createPortal } from 'react-dom'
import type { Response } from '#contract/endpoint.ts'
import { superAdmin } from '#contract/endpoints/admin.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { formatMoment } from '../../shared/format.ts'
import { toastError } from '../../shared/toast.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { useCopied } from '../../shared/use-copied.ts'
import classes from './invitation-sheet.module.css'
import { describeLoadError } from './use-admin.ts'
import common from '../../shared/ui/common.module.css'

interface Invitation {
  id: string
  to: string
  expiresAt: string
  link: string
}

/** The invitations waiting to be handed over, each with its link: to copy, or to print and cut apart. */
export function InvitationSheet({ ids }: { ids: string[] }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['outbox-invitations', ids],
    queryFn: () => readInvitations(ids),
    // Each read is audited, so nothing is refetched in the background.
    staleTime: Infinity,
    retry: false,
  })
  const { isCopied, copy } = useCopied(() => toastError(t('The browser refused to copy')))
  if (error) {
    return <ErrorNotice message={describeLoadError(error) ?? t('Network error')} onRetry={() => void refetch()} />
  }
  if (!data) return <LoadingNotice label={t('Loading the invitations')} />
  const text = data
    .map(({ to, link, expiresAt }) => `${to}\n${link}\n${t('until {moment}', { moment: formatMoment(expiresAt) })}`)
    .join('\n\n')
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('Each link is for one person alone and works once.')}
      </Text>
      <Slips invitations={data} />
      {createPortal(
        <div className={classes.paper} aria-hidden>
          <Slips invitations={data} />
        </div>,
        document.body,
      )}
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button
          variant="default"
          leftSection={<IconCopy size={16} stroke={1.5} aria-hidden />}
          onClick={() => void copy(text)}
        >
          {isCopied ? t('Copied') : t('Copy all')}
        </Button>
        <Button leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />} onClick={() => window.print()}>
          {t('Print')}
        </Button>
      </Group>
    </>
  )
}

function Slips({ invitations }: { invitations: Invitation[] }) {
  return (
    <Stack component="ul" gap={0} m="0.75rem 0 1rem" aria-label={t('Invitations')}>
      {invitations.map(({ id, to, link, expiresAt }) => (
        <li key={id} className={classes.slip}>
          <strong>
            <Isolated>{to}</Isolated>
          </strong>
          <span>{t('Invitation to Awaz, until {moment}', { moment: formatMoment(expiresAt) })}</span>
          <Text dir="ltr" span inherit ff="monospace" fz="sm" className={common.wrap}>
            {link}
          </Text>
        </li>
      ))}
    </Stack>
  )
}

/** Reads invitations one by one, so that only the first asks for the password, if required. Leaves out those used in the meantime. */
async function readInvitations(ids: string[]): Promise<Invitation[]> {
  const invitations: Invitation[] = []
  for (const id of ids) {
    const mail = await call(superAdmin.readMail, { params: { id } })
    const invitation = toInvitation(mail)
    if (invitation) invitations.push(invitation)
  }
  return invitations
}

function toInvitation({ id, to, text, expires_at: expiresAt }: Response<typeof superAdmin.readMail>) {
  const [link] = /https?:\/\/\S+/.exec(text) ?? []
  return link === undefined ? undefined : { id, to, link, expiresAt }
}
