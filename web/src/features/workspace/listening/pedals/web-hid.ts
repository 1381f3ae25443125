/** What pedals need of WebHID (https://wicg.github.io/webhid/), which TypeScript's library of the browser lacks. */
export interface HidDevice extends EventTarget {
  readonly opened: boolean
  readonly productName: string
  open: () => Promise<void>
  close: () => Promise<void>
  /** Takes back the permission to use it. */
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
  /** Those that the person allowed before. */
  getDevices: () => Promise<HidDevice[]>
  /** Lets the person choose, after a click; empty where nothing was chosen. */
  requestDevice: (options: { filters: object[] }) => Promise<HidDevice[]>
}

/** Returns the browser's WebHID; undefined where it has none, as without HTTPS, and in Firefox and Safari. */
export function findHid(): Hid | undefined {
  return (navigator as { hid?: Hid }).hid // not in TypeScript's library
}
