import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { atom, useAtomValue } from '../../../../shared/jotai.ts'
import type { PedalPresses } from './pedal-presses.ts'
import { createPedals } from './pedals.ts'

/** Created once for the page: a device is opened once. */
const pedalsAtom = atom(createPedals)

/** Returns the pedals of this browser, and those that are open. */
export function usePedals() {
  const pedals = useAtomValue(pedalsAtom)
  const devices = useSyncExternalStore(pedals.subscribe, pedals.list)
  return { pedals, devices }
}

/** Calls `onPresses` for each change of a pedal; of several components that do, only for the one that was mounted last. */
export function usePedalPresses(onPresses: (presses: PedalPresses) => void): void {
  const { pedals } = usePedals()
  const run = useEffectEvent(onPresses)
  useEffect(() => pedals.listen((presses) => run(presses)), [pedals])
}
