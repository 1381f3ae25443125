import { readConfig } from '#data/config.ts'
import { databaseName } from '#data/connect.ts'
import { openCliDatabase } from '../admin/database.ts'
import type { MoveOptions, MovedCollection } from './dump-format.ts'
import { exportDatabase } from './export.ts'
import { importDatabase } from './import.ts'
import { withCommandName } from '../cli/command-name.ts'

const usage = `Usage: npm run awaz -- db export FOLDER
       npm run awaz -- db import FOLDER

Moves the whole database between the embedded engine and MongoDB. Stop Awaz first, so that nothing changes meanwhile. Uses the
database of MONGODB_URI where that is set, else the embedded one in DATA_DIR. To move to MongoDB:

  npm run awaz -- db export moved
  MONGODB_URI=mongodb://host/awaz npm run awaz -- db import moved

The folder holds everything in the database, secrets and links in mails included; only you can read it. Recordings and
DATA_DIR/secrets are files: copy them yourself.`

/** `awaz db export|import FOLDER`. */
export async function run(args: string[]): Promise<number> {
  const [action, folder, ...others] = args
  const move = actionOf(action)
  if (!move || !folder || others.length > 0) {
    console.log(withCommandName(usage))
    return args.length === 0 || args.includes('--help') ? 0 : 1
  }
  const onCollection = ({ name, documents }: MovedCollection) => console.log(`  ${name}: ${documents}`)
  const moved = await withDatabase((database) => move({ ...database, folder, onCollection }), {
    canCreate: action === 'import',
  })
  const total = moved.reduce((sum, { documents }) => sum + documents, 0)
  console.log(`${action}ed ${total} documents in ${moved.length} collections.`)
  return 0
}

function actionOf(name: string | undefined): ((options: MoveOptions) => Promise<MovedCollection[]>) | undefined {
  if (name === 'export') return exportDatabase
  return name === 'import' ? importDatabase : undefined
}

async function withDatabase<T>(
  use: (database: { uri: string; dbName?: string }) => Promise<T>,
  options: { canCreate: boolean },
): Promise<T> {
  const { uri, stop } = await openCliDatabase(readConfig(process.env), options)
  return use({ uri, dbName: databaseName(uri) }).finally(stop)
}
