import { Group, Text, Title } from '@mantine/core'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { admin } from '#contract/endpoints/admin.ts'
import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { formatNumber } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { SeverityIcon } from '../../shared/ui/severity-icon.tsx'
import { useKnownInstanceState } from '../../shared/use-instance-state.ts'
import { ConsolePage } from './console-page.tsx'
import { listAttentionItems, listFigures, type Overview } from './overview-facts.ts'
import classes from './overview.module.css'
import { adminKey, describeLoadError } from './use-admin.ts'
import common from '../../shared/ui/common.module.css'

/** What needs attention, and the figures of the installation, each linked to what it counts. */
export function OverviewPage() {
  return (
    <ConsolePage title={t('Overview')} lead={t('What needs attention here, and how many there are of everything.')}>
      <OverviewContent />
    </ConsolePage>
  )
}

function OverviewContent() {
  const { data, error, refetch } = useQuery({
    queryKey: [adminKey, 'overview'],
    queryFn: () => call(admin.overview),
  })
  const state = useKnownInstanceState()
  const message = describeLoadError(error)
  if (message && !data) return <ErrorNotice message={message} onRetry={() => void refetch()} />
  // "Nothing needs attention" needs both results. If the system state fails to load, its reports are left out.
  if (!data || state.isPending) return <LoadingNotice label={t('Loading the overview')} />
  return (
    <>
      <AttentionList overview={data} warnings={state.data?.warnings ?? []} />
      <Figures overview={data} />
    </>
  )
}

function AttentionList({ overview, warnings }: { overview: Overview; warnings: InstanceWarning[] }) {
  const items = listAttentionItems({ overview, warnings, isSuper: isSuperAdmin(useUser()) })
  return (
    <section className={classes.section} aria-labelledby="items">
      <Title order={2} id="items">
        {t('Needs attention')}
      </Title>
      {items.length === 0 ? (
        <Group gap="sm" wrap="nowrap" mt="sm" p={20} c="var(--awaz-custom)" className={common.surface}>
          <IconCircleCheck size={22} stroke={1.5} aria-hidden />
          <Text>{t('Nothing needs attention.')}</Text>
        </Group>
      ) : (
        <ul className={classes.items}>
          {items.map(({ title, advice, to, severity }) => (
            <li key={to}>
              <Link to={to} className={classes.item}>
                <SeverityIcon severity={severity} />
                <span>
                  <Text span inherit display="block" fw={560}>
                    {title}
                  </Text>
                  <Text span inherit display="block" c="dimmed" fz="sm">
                    {advice}
                  </Text>
                </span>
                <IconChevronRight size={18} stroke={1.5} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Figures({ overview }: { overview: Overview }) {
  return (
    <section className={classes.section} aria-labelledby="figures">
      <Title order={2} id="figures">
        {t('In numbers')}
      </Title>
      <ul className={classes.figures}>
        {listFigures(overview, isSuperAdmin(useUser())).map(({ label, value, to }) => (
          <li key={to}>
            <Link to={to} className={classes.figure}>
              <Text span inherit c="dimmed" fz="sm">
                {label}
              </Text>
              <Text span inherit fz="1.75rem" fw={620} lts="-0.02em" className={common.figures}>
                {formatNumber(value)}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
