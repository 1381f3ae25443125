import { findHid, type HidConnectionEvent, type HidDevice, type HidInputReportEvent } from './web-hid.ts'
import { comparePedalReports, type PedalPresses } from './pedal-presses.ts'

type PressListener = (presses: PedalPresses) => void

/** Open pedals and their listeners. */
export interface Pedals {
  /** Calls `onChange` when a pedal opens or goes. Returns an unsubscribe function. The first call opens previously allowed pedals. */
  subscribe: (onChange: () => void) => () => void
  /** Returns the open devices; the same array until one opens or goes. */
  list: () => readonly HidDevice[]
  /** Calls this listener, and no earlier one, for each change of a pedal. Returns a function that removes it. */
  listen: (listener: PressListener) => () => void
  /** Lets the user choose a pedal and opens it. Call it after a click. Throws the browser's error if the pedal cannot be opened. */
  connect: () => Promise<void>
  /** Closes a pedal permanently: it is not reopened on the next visit. */
  forget: (device: HidDevice) => Promise<void>
}

/** Returns the pedals of this browser; none is open yet. */
export function createPedals(): Pedals {
  const hid = findHid()
  const subscribers = new Set<() => void>()
  /** Only the last one is called. */
  let listeners: readonly PressListener[] = []
  const formerReports = new Map<HidDevice, DataView>()
  let devices: readonly HidDevice[] = []
  let isStarted = false

  function change(next: readonly HidDevice[]) {
    devices = next
    for (const subscriber of subscribers) subscriber()
  }

  function onReport(event: Event) {
    const { device, data } = event as HidInputReportEvent // the type of this event
    const presses = comparePedalReports(data, formerReports.get(device))
    formerReports.set(device, data)
    listeners.at(-1)?.(presses)
  }

  async function open(device: HidDevice) {
    if (devices.includes(device)) return
    if (!device.opened) await device.open()
    device.addEventListener('inputreport', onReport)
    change([...devices, device])
  }

  function drop(device: HidDevice) {
    device.removeEventListener('inputreport', onReport)
    formerReports.delete(device)
    change(devices.filter((each) => each !== device))
  }

  /** A pedal that another program holds stays closed; the keys dialog offers to connect it. */
  function tryOpen(device: HidDevice) {
    open(device).catch(() => undefined)
  }

  function start() {
    if (isStarted || !hid) return
    isStarted = true
    hid.addEventListener('connect', (event) => tryOpen((event as HidConnectionEvent).device))
    hid.addEventListener('disconnect', (event) => drop((event as HidConnectionEvent).device))
    void hid.getDevices().then((allowed) => allowed.forEach(tryOpen))
  }

  return {
    subscribe(onChange) {
      subscribers.add(onChange)
      start()
      return () => subscribers.delete(onChange)
    },
    list: () => devices,
    listen(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter((each) => each !== listener)
      }
    },
    async connect() {
      // No filter, since makers use different HID usages. Browsers list neither keyboards nor mice.
      for (const device of (await hid?.requestDevice({ filters: [] })) ?? []) await open(device)
    },
    async forget(device) {
      drop(device)
      await device.forget()
    },
  }
}
