// Prepares the data of a database as a starting process does, for tests that kill it: prepare-data-process.ts URI DATA_DIR. Prints a line per page.
import { pino } from 'pino'
import { connectDatabase } from '#data/connect.ts'
import { migrations } from '#data/migrations/migrations.ts'
import { prepareData } from '#data/prepare-data.ts'

const [uri = '', dataDir = ''] = process.argv.slice(2)
const database = await connectDatabase({ mongodbUri: uri })
console.log('begins')
await prepareData({
  connection: database.connection,
  config: { dataDir, isRestorePointSkipped: false },
  log: pino({ level: 'silent' }),
  // Many pages: the process may be killed after any of them.
  migrations: migrations.map((migration) => ({ ...migration, pageSize: 5 })),
  leaseMs: 300,
  onProgress: ({ name, done }) => console.log(`${name} ${done}`),
})
await database.close()
