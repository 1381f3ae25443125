import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of the detector processes that this process started. */
export function detectorPids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger).filter(isDetector)
}

function isDetector(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('detector-child.ts')
  } catch {
    return false // exited in the meantime
  }
}
