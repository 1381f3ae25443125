import type { Document } from '#server/embedded-db/bson/values.ts'
import { commandName } from './messages.ts'

/** What happens to a command. */
export type DatabaseFault =
  /** The command is executed, but its connection is closed instead of a reply. */
  | 'lose_reply'
  /** The connection is closed before the command is executed. */
  | 'drop'
  /** The command is neither executed nor answered. */
  | 'hang'
  /** The command is answered with this error code and not executed. */
  | { code: number }

/** The driver's own commands, which faults never affect. */
const ownCommands = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'buildInfo', 'buildinfo'])

/** A command as a member received it. */
export interface SeenCommand {
  name: string
  collection: string
  isWrite: boolean
  /** The complete command. */
  document: Document
}

const writes = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite', 'createIndexes', 'drop'])

export function describeCommand(document: Document): SeenCommand {
  const name = commandName(document)
  return { name, collection: String(document[name]), isWrite: writes.has(name), document }
}

export function isOwnCommand(name: string): boolean {
  return ownCommands.has(name)
}

type Choose = (command: SeenCommand) => DatabaseFault | undefined

/** Decides which commands meet a fault: each planned fault applies once; `choose` decides about all other commands. */
export function createFaultPlan() {
  const planned: { matches: (command: SeenCommand) => boolean; fault: DatabaseFault; resolve: () => void }[] = []
  let choose: Choose = () => undefined

  return {
    /** Makes the next matching command meet a fault. Returns a promise that resolves when that has happened. */
    add(matches: (command: SeenCommand) => boolean, fault: DatabaseFault): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      planned.push({ matches, fault, resolve })
      return promise
    },
    /** Asks `chosen` about every other command. */
    chooseBy(chosen: Choose): void {
      choose = chosen
    },
    take(command: SeenCommand): DatabaseFault | undefined {
      const index = planned.findIndex(({ matches }) => matches(command))
      if (index < 0) return choose(command)
      const [found] = planned.splice(index, 1)
      found?.resolve()
      return found?.fault
    },
  }
}

export type FaultPlan = ReturnType<typeof createFaultPlan>
