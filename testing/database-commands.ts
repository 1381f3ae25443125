import type { DatabaseConnection } from '#data/connect.ts'

interface StartedCommand {
  commandName: string
  command: Record<string, unknown>
}

/** The commands that one connection sends to the database, in order, as `find recordings`. */
export interface DatabaseCommands {
  /** Runs a task and returns the commands sent during it. */
  during(task: () => Promise<unknown>): Promise<string[]>
}

/** Returns the address of a database at which the driver's command monitoring is switched on. */
export function withCommandMonitoring(uri: string): string {
  const address = /^mongodb(\+srv)?:\/\/[^/]+$/.test(uri) ? `${uri}/` : uri
  return `${address}${address.includes('?') ? '&' : '?'}monitorCommands=true`
}

/** Watches the commands of a connection that was opened `withCommandMonitoring`. */
export function watchCommands(connection: DatabaseConnection): DatabaseCommands {
  let sent: string[] = []
  connection.getClient().on('commandStarted', ({ commandName, command }: StartedCommand) => {
    // The value of a command's own field is its collection, of commands without one a number.
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
