/** How often each command was sent, by its name and collection, such as `find jobs`. */
export type CommandCounts = Record<string, number>

const writes = ['insert', 'update', 'delete', 'findAndModify', 'bulkWrite', 'create', 'createIndexes', 'drop']

/** Returns whether a command may write. One that changes nothing counts too: it holds the write lock of the embedded database. */
export function isWrite(command: string): boolean {
  return writes.includes(command.split(' ')[0] ?? '')
}

/** Prints commands, the most frequent first. */
export function printCommands(commands: CommandCounts): void {
  const rows = Object.entries(commands).toSorted(([, one], [, other]) => other - one)
  for (const [command, count] of rows) console.log(`${String(count).padStart(6)}  ${command}`)
}
