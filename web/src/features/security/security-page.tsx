import { Stack, Text, Badge, Box, Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { profile } from '#contract/endpoints/profile.ts'
import type { Session } from '#contract/entities/user.ts'
import { useUser, useSessionActions } from '../../shared/session/session.ts'
import { Page } from '../../shared/ui/page.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { describeAgent } from '../../shared/user-agent.ts'
import common from '../../shared/ui/common.module.css'
import { ListRow } from '../../shared/ui/list-row.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'
import { ConfirmPassword } from './confirm-password.tsx'

const queryKey = ['sessions']

/** Second factor, password and signed-in sessions (accounts specification, section 2). */
export function SecurityPage() {
  const { has_password: hasPassword } = useUser()
  return (
    <Page title={t('Security & 2FA')} width="narrow">
      <Stack gap={20}>
        <TwoFactorCard />
        <PasskeysCard />
        {hasPassword ? (
          <Panel title={t('Change Password')}>
            <ChangePasswordForm />
          </Panel>
        ) : (
          <Panel title={t('Password')}>
            <Text c="dimmed">
              {t(
                'You sign in through your organisation, so there is no password to change here. Change it where you manage your work account.',
              )}
            </Text>
          </Panel>
        )}
        <SessionList />
      </Stack>
    </Page>
  )
}

/** The user's sessions, which can be ended one by one or all at once. */
function SessionList() {
  const { data, isPending, isError, refetch } = useQuery({ queryKey, queryFn: () => call(profile.listSessions) })
  const [isConfirming, confirming] = useDisclosure(false)
  return (
    <Panel
      title={t('Sessions')}
      icon={<IconDevices size={20} stroke={1.5} aria-hidden />}
      isFlush
      actions={
        <Button variant="default" size="xs" onClick={confirming.open} disabled={!data}>
          {t('End all sessions')}
        </Button>
      }
    >
      {isPending && <LoadingNotice label={t('Loading your sessions')} />}
      {isError && <ErrorNotice message={t('Your sessions could not be loaded.')} onRetry={() => void refetch()} />}
      {data && (
        <ul>
          {data.sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      <EndAllDialog isOpen={isConfirming} onClose={confirming.close} />
    </Panel>
  )
}

function SessionRow({ session }: { session: Session }) {
  const client = useQueryClient()
  const { reload } = useSessionActions()
  const [isConfirming, confirming] = useDisclosure(false)
  const end = useMutation({
    mutationFn: () => call(profile.endSession, { params: { id: session.id } }),
    onSuccess: async () => {
      toastSuccess(t('Session ended'))
      confirming.close()
      await (session.current ? reload() : client.invalidateQueries({ queryKey }))
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  return (
    <ListRow>
      <Box miw={0} className={common.wrap}>
        <Text component="div" fw={560}>
          {describeAgent(session.user_agent)} {session.current && <Badge ml={6}>{t('This session')}</Badge>}
        </Text>
        <Text size="sm" c="dimmed">
          {session.ip_address} · {t('last used {ago}', { ago: formatAgo(session.last_used) })} ·{' '}
          {t('ends {moment}', { moment: formatMoment(session.expires_at) })}
        </Text>
      </Box>
      <Button
        variant="default"
        size="compact-sm"
        loading={end.isPending}
        onClick={() => (session.current ? end.mutate() : confirming.open())}
      >
        {session.current ? t('End (signs you out)') : t('End')}
      </Button>
      <Modal opened={isConfirming} onClose={confirming.close} title={t('End session')}>
        <ConfirmPassword
          confirmLabel={t('End session')}
          isDangerous
          onConfirmed={() => end.mutate()}
          onCancel={confirming.close}
        >
          {t('{agent} at {address} is signed out.', {
            agent: describeAgent(session.user_agent),
            address: session.ip_address,
          })}
        </ConfirmPassword>
      </Modal>
    </ListRow>
  )
}

function EndAllDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const session = useSessionActions()
  const navigate = useNavigate()
  const end = useMutation({
    mutationFn: () => call(profile.endAllSessions),
    onSuccess: async () => {
      session.leave()
      toastSuccess(t('All sessions ended'))
      await navigate('/login')
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('End all sessions')}>
      <ConfirmPassword
        confirmLabel={t('End all sessions')}
        isDangerous
        onConfirmed={() => end.mutate()}
        onCancel={onClose}
      >
        {t('Every browser you are signed in with is signed out, this one too. Running work goes on.')}
      </ConfirmPassword>
    </Modal>
  )
}
