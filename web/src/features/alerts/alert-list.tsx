import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMemo, useRef, useState, type ReactNode, useEffect, useEffectEvent, type RefObject } from 'react'
import type { Alert, AlertFilter, AlertState } from '#contract/alerts.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { AlertGroup } from './alert-group.tsx'
import classes from './alert-list.module.css'
import type { useAlertActions } from './use-alerts.ts'

interface AlertListProps {
  alerts: Alert[]
  /** How many alerts match the filter, including those not yet loaded. */
  total: number
  filter: AlertFilter
  actions: ReturnType<typeof useAlertActions>
}

interface AlertKeysOptions {
  /** The element that contains the alerts. */
  listRef: RefObject<HTMLElement | null>
  alerts: Alert[]
  onMark: (alert: Alert, state: AlertState) => void
  onSelect: (alert: Alert) => void
  onUndo: () => void
}

/** Alerts grouped by recording, with the actions on several at once. */
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

/** Groups consecutive alerts of the same recording. */
function groupByRecording(alerts: Alert[]): Alert[][] {
  const groups: Alert[][] = []
  for (const alert of alerts) {
    const last = groups.at(-1)
    if (last?.[0]?.recording.id === alert.recording.id) last.push(alert)
    else groups.push([alert])
  }
  return groups
}

/**
 * Returns the one alert that the Tab key reaches, and handles the keys of the list: J, K and the arrows move, R and D mark and move to
 * the next, X selects, U undoes; Enter follows the link. J and K work from anywhere on the page if nothing else has the focus.
 */
function useAlertKeys({ listRef, alerts, onMark, onSelect, onUndo }: AlertKeysOptions) {
  const [wantedId, setActiveId] = useState<string>()
  const wantedIndex = alerts.findIndex(({ id }) => id === wantedId)
  const index = Math.max(0, wantedIndex)
  const active = alerts[index]

  function focus(at: number) {
    const alert = alerts[Math.max(0, Math.min(at, alerts.length - 1))]
    if (!alert) return
    setActiveId(alert.id)
    listRef.current?.querySelector<HTMLElement>(`[data-alert="${alert.id}"]`)?.focus()
  }

  function mark(state: AlertState) {
    if (!active) return
    // Move the focus before the alert leaves the list, or it would be lost.
    focus(index + 1 < alerts.length ? index + 1 : index - 1)
    onMark(active, state)
  }

  const acts: Record<string, () => void> = {
    j: () => focus(wantedIndex + 1),
    k: () => focus(index - 1),
    ArrowDown: () => focus(wantedIndex + 1),
    ArrowUp: () => focus(index - 1),
    Home: () => focus(0),
    End: () => focus(alerts.length - 1),
    r: () => mark('reviewed'),
    d: () => mark('dismissed'),
    x: () => active && onSelect(active),
    u: onUndo,
  }

  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return
    // The physical key, so that J works in every layout.
    const letter = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()
    const act = acts[letter ?? event.key]
    const isOnPage = event.target === document.body && /^[jku]$/.test(letter ?? '')
    if (!act || !(isOnPage || listRef.current?.contains(event.target))) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return { activeId: active?.id, setActiveId }
}
