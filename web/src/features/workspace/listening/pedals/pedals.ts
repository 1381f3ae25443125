import { findHid, type HidConnectionEvent, type HidDevice, type HidInputReportEvent } from './web-hid.ts'
import { comparePedalReports, type PedalPresses } from './pedal-presses.ts'

type PressListener = (presses: PedalPresses) => void

/** Open pedals, and who listens to them. */
export interface Pedals {
  /** Calls `onChange` when a pedal is opened or gone; returns what ends that. The first subscriber opens what was allowed before. */
  subscribe: (onChange: () => void) => () => void
  /** Open devices; the same array until one is opened or gone. */
  list: () => readonly HidDevice[]
  /** Calls the listener for each change of a pedal, and none that listened before it, until what it returns is called. */
  listen: (listener: PressListener) => () => void
  /** Lets the person choose a pedal and opens it. Call after a click. Throws what the browser throws where it cannot be opened. */
  connect: () => Promise<void>
  /** Closes a pedal for good: it is not opened at the next visit. */
  forget: (device: HidDevice) => Promise<void>
}

/** Returns the pedals of this browser, none of them open yet. */
export function createPedals(): Pedals {
  const hid = findHid()
  const subscribers = new Set<() => void>()
  /** The last one is called. */
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

  /** One that another program holds stays closed: the dialog of keys offers to connect it. */
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
      // No filter: makers use different usages. Browsers list neither keyboards nor mice.
      for (const device of (await hid?.requestDevice({ filters: [] })) ?? []) await open(device)
    },
    async forget(device) {
      drop(device)
      await device.forget()
    },
  }
}
