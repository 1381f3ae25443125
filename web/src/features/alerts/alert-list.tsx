import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import type { Alert, AlertFilter, AlertState } from '#contract/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { AlertGroup } from './alert-group.tsx'
import classes from './alert-list.module.css'
import { useAlertKeys } from './use-alert-keys.ts'
import type { useAlertActions } from './use-alerts.ts'

interface AlertListProps {
  alerts: Alert[]
  /** How many the filter shows, also those that are not loaded. */
  total: number
  filter: AlertFilter
  actions: ReturnType<typeof useAlertActions>
}

/** Alerts by recording, with what is done to several at once. */
export function AlertList({ alerts, total, filter, actions }: AlertListProps) {
  const listRef = useRef<HTMLDivElement>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = alerts.filter(({ id }) => selected.has(id))
  const groups = useMemo(() => groupByRecording(alerts), [alerts])
  const markOne = (alert: Alert, state: AlertState) => actions.mark([alert.id], alert.state === state ? 'new' : state)
  const keys = useAlertKeys({ listRef, alerts, onMark: markOne, onSelect: toggle, onUndo: actions.undoLast })

  function toggle({ id }: Alert) {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }

  function markSome(state: AlertState) {
    if (chosen.length === 0) actions.markAll(state, total)
    else
      actions.mark(
        chosen.map(({ id }) => id),
        state,
      )
    setSelected(new Set())
  }

  const which =
    chosen.length > 0
      ? t('{count, number} selected', { count: chosen.length })
      : t('All {count, number}', { count: total })
  return (
    <>
      <div className={classes.bar} role="group" aria-label={t('Several alerts')}>
        <Checkbox
          label={which}
          checked={chosen.length === alerts.length}
          indeterminate={chosen.length > 0 && chosen.length < alerts.length}
          onChange={() => setSelected(new Set(chosen.length > 0 ? [] : alerts.map(({ id }) => id)))}
        />
        <Group component="span" gap="xs" align="stretch">
          {filter.state !== 'reviewed' && (
            <Button size="xs" variant="default" onClick={() => markSome('reviewed')}>
              {chosen.length > 0 ? t('Review') : t('Review all')}
            </Button>
          )}
          {filter.state !== 'dismissed' && (
            <Button size="xs" variant="default" onClick={() => markSome('dismissed')}>
              {chosen.length > 0 ? t('Dismiss') : t('Dismiss all')}
            </Button>
          )}
          {filter.state !== 'new' && chosen.length > 0 && (
            <Button size="xs" variant="default" onClick={() => markSome('new')}>
              {t('Mark as new')}
            </Button>
          )}
        </Group>
      </div>
      <Stack ref={listRef}>
        {groups.map((group) => (
          <AlertGroup
            key={group[0]?.id}
            alerts={group}
            activeId={keys.activeId}
            selected={selected}
            onFocus={keys.setActiveId}
            onSelect={toggle}
            onMark={markOne}
          />
        ))}
      </Stack>
      <Text size="sm" c="dimmed" className={classes.keys}>
        {rich(
          '<kbd>J</kbd> <kbd>K</kbd> next and previous · <kbd>Enter</kbd> open · <kbd>R</kbd> reviewed · <kbd>D</kbd> dismissed · <kbd>X</kbd> select · <kbd>U</kbd> undo',
          { kbd: renderKey },
        )}
      </Text>
    </>
  )
}

const renderKey = (children: ReactNode[]) => <kbd>{children}</kbd>

/** Returns consecutive alerts of one recording together. */
function groupByRecording(alerts: Alert[]): Alert[][] {
  const groups: Alert[][] = []
  for (const alert of alerts) {
    const last = groups.at(-1)
    if (last?.[0]?.recording.id === alert.recording.id) last.push(alert)
    else groups.push([alert])
  }
  return groups
}
