// Preloaded into a process of the product (`--import`): counts the commands that its driver sends, and writes the counts to PID.json in the
// folder AWAZ_COMMAND_COUNTS at each SIGUSR2.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient, type CommandStartedEvent } from 'mongodb'

const folder = process.env.AWAZ_COMMAND_COUNTS
const counts: Record<string, number> = {}

function count({ commandName, command }: CommandStartedEvent): void {
  const target: unknown = (command as Record<string, unknown>)[commandName]
  const key = typeof target === 'string' ? `${commandName} ${target}` : commandName
  counts[key] = (counts[key] ?? 0) + 1
}

if (folder) {
  const { connect } = MongoClient.prototype
  const counted = new WeakSet<MongoClient>()
  MongoClient.prototype.connect = function connectCounted(this: MongoClient) {
    if (!counted.has(this)) this.on('commandStarted', count)
    counted.add(this)
    Object.assign(this.options, { monitorCommands: true })
    return connect.call(this)
  }
  process.on('SIGUSR2', () => {
    const path = join(folder, `${process.pid}.json`)
    writeFileSync(`${path}.new`, JSON.stringify(counts))
    renameSync(`${path}.new`, path)
  })
}
