import { useEffect, useEffectEvent } from 'react'
import { chordOf } from './chords.ts'
import { chordsOf, listeningActions, type ListeningActions } from './listening-actions.ts'
import { useListeningSettings } from './listening-settings.ts'

/** Layers above the desk keep their keys; what is heard is set while it plays. */
const keyOwners = '[role="dialog"]:not([data-listening]), [role="menu"], [role="listbox"]'

/** Runs the actions of listening by their keys, also while a line is typed. */
export function useListeningKeys(actions: ListeningActions): void {
  const { listening } = useListeningSettings()
  const run = useEffectEvent((event: KeyboardEvent) => {
    // An input method uses keys itself.
    if (event.defaultPrevented || event.isComposing) return
    const chord = chordOf(event)
    const chords = chordsOf(listening.keys)
    const found = listeningActions.find(({ action }) => chords[action] === chord)
    if (!found || (event.target instanceof Element && event.target.closest(keyOwners))) return
    event.preventDefault()
    actions[found.action]()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => run(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
