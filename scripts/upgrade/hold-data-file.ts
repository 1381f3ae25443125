// Process that holds the lock on a data file until its input ends: hold-data-file.ts FILE. The process that goes back to a restore point
// cannot hold it: closing any descriptor of the file, as after hashing it, releases every lock that a process has on it (sqlite.org,
// "How To Corrupt An SQLite Database File").
import { openDatabase } from '#server/embedded-db/storage/database.ts'

const [file = ''] = process.argv.slice(2)
try {
  const database = openDatabase(file)
  database.truncateLog()
  // SQLite does not delete the log here if another file has replaced this one.
  process.stdin.resume().once('end', () => database.close())
  console.log('held')
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
