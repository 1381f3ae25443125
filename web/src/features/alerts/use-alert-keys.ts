import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import type { Alert, AlertState } from '#contract/alerts.ts'

interface AlertKeysOptions {
  /** The element that the alerts are in. */
  listRef: RefObject<HTMLElement | null>
  alerts: Alert[]
  onMark: (alert: Alert, state: AlertState) => void
  onSelect: (alert: Alert) => void
  onUndo: () => void
}

/**
 * Returns the one alert that the Tab key reaches, and the keys of the list: J, K and the arrows move, R and D mark and go to the next,
 * X selects, U undoes; Enter follows the link. J and K begin anywhere on the page where nothing else has the focus.
 */
export function useAlertKeys({ listRef, alerts, onMark, onSelect, onUndo }: AlertKeysOptions) {
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
    // Before it leaves the list, so that the focus is not lost.
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
    // The place on the keyboard, so that J is J in every layout.
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
