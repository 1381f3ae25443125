import type { Document } from '#server/embedded-db/bson/values.ts'
import { commandName } from './messages.ts'

/** What happens to one command. */
export type DatabaseFault =
  /** The command is carried out; its connection is closed instead of the reply. */
  | 'lose_reply'
  /** The connection is closed before the command is carried out. */
  | 'drop'
  /** Neither carried out nor answered. */
  | 'hang'
  /** Answered with an error of this code, and not carried out. */
  | { code: number }

/** The driver's own commands; faults leave them alone. */
const ownCommands = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'buildInfo', 'buildinfo'])

/** A command as a member received it. */
export interface SeenCommand {
  name: string
  collection: string
  isWrite: boolean
  /** All of it. */
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

/** Keeps which commands meet a fault: planned ones, each once, then what `choose` says. */
export function createFaultPlan() {
  const planned: { matches: (command: SeenCommand) => boolean; fault: DatabaseFault; resolve: () => void }[] = []
  let choose: Choose = () => undefined

  return {
    /** Makes the next command that matches meet a fault. Returns a promise that resolves when it did. */
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
