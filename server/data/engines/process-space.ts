import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * Names the set of processes in which a process number means one process: this boot of this machine and, in a container, that container.
 * A host name alone says less: containers may share one, and so may machines.
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
