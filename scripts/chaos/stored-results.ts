import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectClient, databaseName } from '#data/connect.ts'
import type { Ledger } from './ledger.ts'

/** Returns the address of the product's database: MONGODB_URI if set, otherwise the one in the product's file db/uri. */
export async function readDatabaseUri(dataDir: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  return env.MONGODB_URI || (await readFile(join(dataDir, 'db', 'uri'), 'utf8')).trim()
}

/** Records work that was done twice: two finished jobs in the database, whatever the API shows. */
export async function findStoredTwice(
  ledger: Ledger,
  dataDir: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const uri = await readDatabaseUri(dataDir, env)
  const client = await connectClient(uri)
  try {
    const jobs = client.db(databaseName(uri)).collection<{ workKey: string }>('jobs')
    const byWork = new Map<string, number>()
    for await (const { workKey } of jobs.find({ state: 'done' }, { projection: { workKey: 1 } })) {
      byWork.set(workKey, (byWork.get(workKey) ?? 0) + 1)
    }
    for (const [workKey, count] of byWork) {
      if (count > 1) ledger.find('doubled', 0, `the database holds ${count} finished jobs of the work ${workKey}`)
    }
  } finally {
    await client.close()
  }
}
