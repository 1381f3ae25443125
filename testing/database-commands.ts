import type { DatabaseConnection } from '#data/connect.ts'

interface StartedCommand {
  commandName: string
  command: Record<string, unknown>
}

/** The commands that one connection sends to the database, in order, in the form `find recordings`. */
export interface DatabaseCommands {
  /** Runs a task and returns the commands sent during it. */
  during(task: () => Promise<unknown>): Promise<string[]>
}

/** Returns a database address that enables the driver's command monitoring. */
export function withCommandMonitoring(uri: string): string {
  const address = /^mongodb(\+srv)?:\/\/[^/]+$/.test(uri) ? `${uri}/` : uri
  return `${address}${address.includes('?') ? '&' : '?'}monitorCommands=true`
}

/** Watches the commands of a connection whose address comes from `withCommandMonitoring`. */
export function watchCommands(connection: DatabaseConnection): DatabaseCommands {
  let sent: string[] = []
  connection.getClient().on('commandStarted', ({ commandName, command }: StartedCommand) => {
    // The field named after the command holds its collection, or a number for commands without one.
    const collection = command[commandName]
    sent.push(typeof collection === 'string' ? `${commandName} ${collection}` : commandName)
  })
  return {
    async during(task) {
      sent = []
      await task()
      const ofTask = sent
      sent = []
      return ofTask
    },
  }
}
