export interface PedalPresses {
  /** Numbers of the pedals that were pressed, from 1. */
  down: number[]
  /** Numbers of the pedals that were released. */
  up: number[]
}

/**
 * Returns what changed between two reports of a device. Pedals report a bit per switch; the first bit of the first byte is the leftmost
 * one, pedal 1.
 */
export function comparePedalReports(report: DataView, former: DataView | undefined): PedalPresses {
  const presses: PedalPresses = { down: [], up: [] }
  for (let bit = 0; bit < report.byteLength * 8; bit++) {
    const isDown = isSet(report, bit)
    if (isDown === (former !== undefined && isSet(former, bit))) continue
    presses[isDown ? 'down' : 'up'].push(bit + 1)
  }
  return presses
}

function isSet(report: DataView, bit: number): boolean {
  const byte = Math.floor(bit / 8)
  return byte < report.byteLength && ((report.getUint8(byte) >> (bit % 8)) & 1) === 1
}
