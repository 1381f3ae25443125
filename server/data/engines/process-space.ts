import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Returns a name for the set of processes in which a process id is unique: this boot of this machine and, in a container, that container.
 * A host name is not enough: containers may share one, and so may machines.
 */
export function readProcessSpace(): string {
  return [hostname(), ...linuxMarks()].join(' ')
}

function linuxMarks(): string[] {
  try {
    return [readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), readlinkSync('/proc/self/ns/pid')]
  } catch {
    return []
  }
}
