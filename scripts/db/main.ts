import { parseArgs } from 'node:util'
import { readConfig } from '#data/config.ts'
import { databaseName } from '#data/connect.ts'
import { openCliDatabase } from '../admin/database.ts'
import type { MoveOptions, MovedCollection } from './dump-format.ts'
import { exportDatabase } from './export.ts'
import { importDatabase } from './import.ts'
import { userScript } from './user-script.ts'
import { withCommandName } from '../cli/command-name.ts'

const usage = `Usage: npm run awaz -- db export FOLDER
       npm run awaz -- db import FOLDER
       npm run awaz -- db user [NAME | --certificate SUBJECT]

export and import move the whole database between the embedded engine and MongoDB. Stop Awaz first, so that nothing changes meanwhile. Uses the
database of MONGODB_URI where that is set, else the embedded one in DATA_DIR. To move to MongoDB:

  npm run awaz -- db export moved
  MONGODB_URI=mongodb://host/awaz npm run awaz -- db import moved

The folder holds everything in the database, secrets and links in mails included; only you can read it. Recordings and
DATA_DIR/secrets are files: copy them yourself.

user prints the script for mongosh that creates the user of MONGODB_URI with the rights that Awaz needs and no others; by default one named
awaz. SUBJECT is that of a client certificate, such as "CN=awaz,OU=hosts".`

/** `awaz db export|import FOLDER`, `awaz db user`. */
export async function run(args: string[]): Promise<number> {
  const [action, folder, ...others] = args
  if (action === 'user') return printUser(args.slice(1))
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

function printUser(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    options: { certificate: { type: 'string' } },
    allowPositionals: true,
    strict: false,
  })
  const subject = typeof values.certificate === 'string' ? values.certificate : undefined
  const isUnderstood = Object.keys(values).every((name) => name === 'certificate' && subject)
  if (!isUnderstood || positionals.length > (subject ? 0 : 1)) {
    console.log(withCommandName(usage))
    return args.includes('--help') ? 0 : 1
  }
  const dbName = databaseName(readConfig(process.env).mongodbUri ?? '')
  console.log(userScript({ dbName, user: subject ?? positionals[0] ?? 'awaz', isCertificate: subject !== undefined }))
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
