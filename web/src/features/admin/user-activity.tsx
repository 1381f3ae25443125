import { Anchor, Text } from '@mantine/core'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { Response } from '#contract/endpoint.ts'
import { admin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { formatExactMoment } from '../../shared/format.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { describeAction } from './audit-labels.ts'
import { describeEvent } from './recording-details.ts'
import { adminKey, describeLoadError } from './use-admin.ts'
import classes from './user-page.module.css'
import common from '../../shared/ui/common.module.css'

/** How many events are shown; the rest are in the audit trail. */
const maxEvents = 8

/** What a user did and what was done to them, from the audit trail, newest first. */
export function UserActivity({ user }: { user: User }) {
  const query = { search: user.email, page: 1, per_page: maxEvents }
  const { data, isPending, error, refetch } = useQuery({
    queryKey: [adminKey, 'activity', query],
    queryFn: () => call(admin.audit, { query }),
  })
  const message = describeLoadError(error)
  return (
    <Panel title={t('Activity')} icon={<IconHistory size={20} stroke={1.5} aria-hidden />} isFlush>
      {message && <ErrorNotice message={message} onRetry={() => void refetch()} />}
      {isPending && <LoadingNotice label={t('Loading the activity')} />}
      {data?.events.length === 0 && (
        <Text p={20} inherit c="dimmed">
          {t('Nothing is recorded yet.')}
        </Text>
      )}
      {data && data.events.length > 0 && (
        <>
          <ul className={classes.rows} aria-label={t('Activity')}>
            {data.events.map((event) => (
              <li key={event.id}>
                <div className={classes.event}>
                  <span className={classes.tone} data-tone={event.outcome === 'success' ? 'good' : 'bad'} aria-hidden />
                  <div>
                    <Text fw={560}>{describeOutcome(event)}</Text>
                    <Text size="sm" c="dimmed">
                      {formatExactMoment(event.at)}
                      {event.actor !== user.email && ` · ${t('by {actor}', { actor: event.actor })}`}
                      {event.details && ` · ${isolateName(describeEvent(event))}`}
                    </Text>
                  </div>
                </div>
              </li>
            ))}
          </ul>
          <Text component="div" inherit py="sm" px={20} fz="sm" className={common.lineAbove}>
            <Anchor component={Link} to={`/admin/audit?${new URLSearchParams({ q: user.email })}`} size="sm">
              {data.total > maxEvents
                ? t('All {total, number} entries of the audit trail', { total: data.total })
                : t('Open in the audit trail')}
            </Anchor>
          </Text>
        </>
      )}
    </Panel>
  )
}

function describeOutcome({ action: code, outcome }: Response<typeof admin.audit>['events'][number]): string {
  const action = describeAction(code)
  if (outcome === 'success') return action
  return outcome === 'failure' ? t('{action}: failed', { action }) : t('{action}: denied', { action })
}
