/** The parts of WebHID (https://wicg.github.io/webhid/) that pedals need, which TypeScript's DOM library lacks. */
export interface HidDevice extends EventTarget {
  readonly opened: boolean
  readonly productName: string
  open: () => Promise<void>
  close: () => Promise<void>
  /** Revokes the permission to use the device. */
  forget: () => Promise<void>
}

/** The event `inputreport` of a device. */
export interface HidInputReportEvent extends Event {
  readonly device: HidDevice
  readonly data: DataView
}

/** The events `connect` and `disconnect`. */
export interface HidConnectionEvent extends Event {
  readonly device: HidDevice
}

export interface Hid extends EventTarget {
  /** Returns the devices that the user allowed before. */
  getDevices: () => Promise<HidDevice[]>
  /** Lets the user choose, after a click; empty if nothing was chosen. */
  requestDevice: (options: { filters: object[] }) => Promise<HidDevice[]>
}

/** Returns the browser's WebHID; undefined if there is none, such as without HTTPS and in Firefox and Safari. */
export function findHid(): Hid | undefined {
  return (navigator as { hid?: Hid }).hid // not in TypeScript's library
}
