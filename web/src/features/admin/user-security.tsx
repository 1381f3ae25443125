import { Alert, Badge, Button } from '@mantine/core'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import type { ReactNode } from 'react'
import type { Response } from '#contract/endpoint.ts'
import { admin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { comma, formatSpan } from '../../shared/format.ts'
import { Panel } from '../../shared/ui/panel.tsx'
import { useAdminAction } from './use-admin.ts'
import classes from './user-page.module.css'
import type { OfferedAction } from './use-user-actions.tsx'

interface UserSecurityProps {
  details: Response<typeof admin.getUser>
  resetPassword: OfferedAction | undefined
  resetTwoFactor: OfferedAction | undefined
}

/** How a user signs in, and the resets for a lost password or phone. */
export function UserSecurity({ details, resetPassword, resetTwoFactor }: UserSecurityProps) {
  const { user, providers, locked_seconds: lockedSeconds } = details
  return (
    <Panel title={t('Signing in')} icon={<IconShieldLock size={20} stroke={1.5} aria-hidden />}>
      {lockedSeconds > 0 && <LockNotice id={user.id} lockedSeconds={lockedSeconds} />}
      <dl className={classes.facts}>
        <Fact label={t('Password')} action={resetPassword}>
          {describePassword(user)}
        </Fact>
        <Fact label={t('Two-factor')} action={resetTwoFactor}>
          <OnOff isOn={user.two_factor_enabled} />
        </Fact>
        <Fact label={t('Passkeys')}>
          <OnOff isOn={user.has_passkey} />
        </Fact>
        <Fact label={t('Single sign-on')}>{providers.length > 0 ? providers.join(comma) : t('Not linked')}</Fact>
      </dl>
    </Panel>
  )
}

function describePassword(user: User): string {
  if (!user.has_password) return t('None: signs in through a provider')
  return user.must_change_password ? t('Must be changed at the next sign-in') : t('Chosen by the user')
}

function Fact({ label, action, children }: { label: string; action?: OfferedAction | undefined; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {children}
        {action && (
          <Button variant="default" size="compact-sm" onClick={action.run}>
            {action.label}
          </Button>
        )}
      </dd>
    </>
  )
}

function OnOff({ isOn }: { isOn: boolean }) {
  return <Badge color={isOn ? 'green' : 'gray'}>{isOn ? t('Set up') : t('Not set up')}</Badge>
}

function LockNotice({ id, lockedSeconds }: { id: string; lockedSeconds: number }) {
  const action = useAdminAction()
  return (
    <Alert color="amber" mb="md" title={t('Locked for another {span}', { span: formatSpan(lockedSeconds) })}>
      <Button
        size="compact-sm"
        variant="default"
        loading={action.isPending}
        onClick={() =>
          action.mutate({
            run: () => call(admin.unlockUser, { params: { id } }),
            success: t('Account unlocked'),
            failure: t('Failed to unlock the account'),
          })
        }
      >
        {t('Unlock now')}
      </Button>
    </Alert>
  )
}
