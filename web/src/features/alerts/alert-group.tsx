import { Group, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { maxAlertsPerRecording, type Alert, type AlertState } from '#contract/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { AlertRow } from './alert-row.tsx'
import classes from './alert-group.module.css'
import common from '../../shared/ui/common.module.css'

interface AlertGroupProps {
  /** Of one recording. */
  alerts: Alert[]
  activeId: string | undefined
  selected: ReadonlySet<string>
  onFocus: (id: string) => void
  onSelect: (alert: Alert) => void
  onMark: (alert: Alert, state: AlertState) => void
}

/** The alerts of a recording under its name. */
export function AlertGroup({ alerts, activeId, selected, onFocus, onSelect, onMark }: AlertGroupProps) {
  const id = useId()
  const [first] = alerts
  if (!first) return null
  const { recording, created_at: createdAt } = first
  return (
    <section className={classes.group} aria-labelledby={id}>
      <Group
        component="header"
        gap="0.25rem 1rem"
        align="baseline"
        justify="space-between"
        py="sm"
        px="md"
        bg="var(--awaz-sunken)"
        className={common.lineBelow}
      >
        <Title order={2} size="h3" id={id} className={classes.name}>
          <Link to={`/transcribe?recording=${recording.id}`}>
            <Isolated>{recording.name}</Isolated>
          </Link>
        </Title>
        <Text span size="sm" c="dimmed" title={formatMoment(createdAt)}>
          {t('{count, plural, one {# alert} other {# alerts}}', { count: alerts.length })} · {formatAgo(createdAt)}
        </Text>
      </Group>
      {recording.is_capped && (
        <Text size="sm" c="dimmed" py="xs" px="md" className={common.lineBelow}>
          {t('This recording has more hits: only {count, number} became alerts. The desk shows all of them.', {
            count: maxAlertsPerRecording,
          })}
        </Text>
      )}
      <ul>
        {alerts.map((alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            isTabStop={alert.id === activeId}
            isSelected={selected.has(alert.id)}
            onFocus={() => onFocus(alert.id)}
            onSelect={() => onSelect(alert)}
            onMark={(state) => onMark(alert, state)}
          />
        ))}
      </ul>
    </section>
  )
}
