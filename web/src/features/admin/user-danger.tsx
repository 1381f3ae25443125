import { Button, Text, Title } from '@mantine/core'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import classes from './user-page.module.css'
import type { OfferedAction } from './use-user-actions.tsx'

interface DangerZoneProps {
  user: User
  status: OfferedAction | undefined
  remove: OfferedAction | undefined
  isBusy: boolean
}

/** What ends an account for a time or for good; absent where nothing of it is permitted. */
export function DangerZone({ user, status, remove, isBusy }: DangerZoneProps) {
  if (!status && !remove) return null
  return (
    <section className={classes.danger} aria-labelledby="danger-zone">
      <header>
        <Title order={2} id="danger-zone">
          {t('Danger zone')}
        </Title>
      </header>
      <ul className={classes.rows}>
        {status && (
          <li>
            <div>
              <Text fw={560}>{user.is_active ? t('Deactivate this account') : t('Activate this account')}</Text>
              <Text size="sm" c="dimmed">
                {user.is_active
                  ? t('They are signed out everywhere and cannot sign in. What they recorded is kept.')
                  : t('They may sign in again; what they recorded is still there.')}
              </Text>
            </div>
            <Button variant="default" loading={isBusy} onClick={status.run}>
              {status.label}
            </Button>
          </li>
        )}
        {remove && (
          <li>
            <div>
              <Text fw={560}>{t('Delete this account')}</Text>
              <Text size="sm" c="dimmed">
                {t('With all recordings, transcripts, translations and keywords, for good.')}
              </Text>
            </div>
            <Button color="red" onClick={remove.run}>
              {remove.label}
            </Button>
          </li>
        )}
      </ul>
    </section>
  )
}
