import { useEffect, useRef } from 'react'
import { t } from '#contract/texts/t.ts'
import { latinKey } from '../../../shared/latin-key.ts'

/** The shortcuts of the desk, as listed in its help. `keys` are the keyboard event's, in lower case. */
export const shortcuts = [
  { action: 'play', keys: [' '], shown: 'Space', effect: t('Play or pause') },
  { action: 'back', keys: ['arrowleft'], shown: '←', effect: t('Back 10 seconds') },
  { action: 'forward', keys: ['arrowright'], shown: '→', effect: t('Forward 10 seconds') },
  { action: 'nextLine', keys: ['j'], shown: 'J', effect: t('Next line') },
  { action: 'previousLine', keys: ['k'], shown: 'K', effect: t('Previous line') },
  { action: 'edit', keys: ['e'], shown: 'E', effect: t('Correct the line') },
  { action: 'nextHit', keys: ['n'], shown: 'N', effect: t('Next hit') },
  { action: 'previousHit', keys: ['p'], shown: 'P', effect: t('Previous hit') },
  { action: 'nextUncertain', keys: ['u'], shown: 'U', effect: t('Next uncertain line') },
  { action: 'nextUnheard', keys: ['h'], shown: 'H', effect: t('Next line not heard') },
  { action: 'nextUnverified', keys: ['y'], shown: 'Y', effect: t('Next line not verified') },
  { action: 'verify', keys: ['v'], shown: 'V', effect: t('Verify the line, or take it back') },
  { action: 'doubt', keys: ['d'], shown: 'D', effect: t('Mark the line as uncertain, or as certain') },
  { action: 'note', keys: ['b'], shown: 'B', effect: t('Add a note at the playback position') },
  { action: 'flag', keys: ['g'], shown: 'G', effect: t('Flag the line') },
  { action: 'quote', keys: ['c'], shown: 'C', effect: t('Copy the line with a link') },
  { action: 'link', keys: ['l'], shown: 'L', effect: t('Copy a link to the line') },
  { action: 'follow', keys: ['f'], shown: 'F', effect: t('Back to now') },
  { action: 'mute', keys: ['m'], shown: 'M', effect: t('Mute or unmute') },
  { action: 'search', keys: ['/'], shown: '/', effect: t('Search the conversation') },
  { action: 'panels', keys: ['s'], shown: 'S', effect: t('Show or hide the panels') },
  { action: 'help', keys: ['?'], shown: '?', effect: t('Show this list') },
] as const

export type ShortcutAction = (typeof shortcuts)[number]['action']
type Actions = Record<ShortcutAction, () => void>

const actionByKey = new Map<string, ShortcutAction>(
  shortcuts.flatMap(({ action, keys }) => keys.map((key) => [key, action] as const)),
)

/** Elements that own every key: text fields, and layers above the desk. */
const keyOwners =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), [role="dialog"], [role="menu"], [role="listbox"]'
/** Inputs that take no typed text. */
const typelessInputs = new Set(['button', 'checkbox', 'radio', 'range', 'submit', 'reset'])
const pressable = 'button, a[href], summary, input, [role="button"], [role="tab"], [role="switch"], [role="checkbox"]'
const arrowOwners = 'input, [role="slider"], [role="tablist"], [role="radiogroup"], [role="toolbar"]'

/**
 * Returns whether the focused element needs the key itself. A button clicked with the mouse keeps the focus but does not need Space: a
 * person who clicks a line and presses Space wants to hear it. A button reached by keyboard does need it.
 */
function isTaken(event: KeyboardEvent, action: ShortcutAction, isReachedByKeyboard: boolean): boolean {
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  if (target.closest(keyOwners)) return true
  if (target instanceof HTMLInputElement && !typelessInputs.has(target.type)) return true
  if (action === 'play') return isReachedByKeyboard && target.closest(pressable) !== null
  return (action === 'back' || action === 'forward') && target.closest(arrowOwners) !== null
}

/** Actions that open a text field. Someone who types on before it has the focus must not trigger other shortcuts. */
const writingActions: ReadonlySet<ShortcutAction> = new Set(['note', 'flag'])
const writingMs = 800

/** Runs the shortcuts of the desk wherever the focus is, but not while typing. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    let isReachedByKeyboard = false
    let handledKey: string | undefined
    let writesUntilMs = 0
    const onPointerDown = () => {
      isReachedByKeyboard = false
    }
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Tab') isReachedByKeyboard = true
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const action = actionByKey.get(latinKey(event))
      if (!action) return
      if (isTaken(event, action, isReachedByKeyboard)) {
        writesUntilMs = 0
        return
      }
      event.preventDefault()
      if (performance.now() < writesUntilMs) return
      if (writingActions.has(action)) writesUntilMs = performance.now() + writingMs
      handledKey = event.key
      latest.current[action]()
    }
    /** Firefox clicks a button when Space is released, even if the key press was handled. */
    function onKeyUp(event: KeyboardEvent) {
      if (event.key === handledKey) event.preventDefault()
      handledKey = undefined
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('keyup', onKeyUp)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true)
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('keyup', onKeyUp)
    }
  }, [])
}
