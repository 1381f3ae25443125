import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { atom, useAtomValue } from '../../../../shared/jotai.ts'
import type { PedalPresses } from './pedal-presses.ts'
import { createPedals } from './pedals.ts'

/** Created once per page, so that a device is opened only once. */
const pedalsAtom = atom(createPedals)

/** Returns the pedals of this browser, and the open devices. */
export function usePedals() {
  const pedals = useAtomValue(pedalsAtom)
  const devices = useSyncExternalStore(pedals.subscribe, pedals.list)
  return { pedals, devices }
}

/** Calls `onPresses` for each change of a pedal; if several components use this, only for the last one mounted. */
export function usePedalPresses(onPresses: (presses: PedalPresses) => void): void {
  const { pedals } = usePedals()
  const run = useEffectEvent(onPresses)
  useEffect(() => pedals.listen((presses) => run(presses)), [pedals])
}
