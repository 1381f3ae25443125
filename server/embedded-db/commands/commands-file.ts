import { CommandError } from '../errors.ts'
import type { Command } from './command.ts'

/** Not in MongoDB: copies the data file consistently while other commands run (storage/snapshots.ts). Clients poll until it is done. */
const awazStartSnapshot: Command = {
  isWrite: false,
  options: [],
  run: ({ snapshots }) => ({ id: snapshots.start(), ok: 1 }),
}

const awazSnapshotStatus: Command = {
  isWrite: false,
  options: [],
  run: ({ command, snapshots }) => ({ ...snapshots.status(snapshotId(command.awazSnapshotStatus)), ok: 1 }),
}

const awazDropSnapshot: Command = {
  isWrite: false,
  options: [],
  run({ command, snapshots }) {
    snapshots.drop(snapshotId(command.awazDropSnapshot))
    return { ok: 1 }
  },
}

/** Not in MongoDB: returns whether the last check found the data file damaged. */
const awazFileCheck: Command = {
  isWrite: false,
  options: [],
  run: ({ fileCheck }) => ({ ...fileCheck.status(), ok: 1 }),
}

function snapshotId(value: unknown): string {
  if (typeof value === 'string') return value
  throw new CommandError('TypeMismatch', 'the id of a snapshot is a string')
}

export const fileCommands = { awazFileCheck, awazStartSnapshot, awazSnapshotStatus, awazDropSnapshot }
