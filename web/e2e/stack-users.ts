import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { connectDatabase, type Database } from '#data/connect.ts'
import { callApi } from '#testing/api-calls.ts'
import { copyFirstAdmin, type CopyUserOptions } from '#testing/copied-user.ts'
import type { Stack } from '#testing/stack.ts'

/** What another process needs to know of a running stack. */
export type StackFacts = Omit<Stack, 'stop'>

export interface KnownUser {
  id: string
  email: string
  username: string
  password: string
}

/** Adds a user known only to the caller to a stack: see copyFirstAdmin. */
export async function addUser(stack: StackFacts, options: CopyUserOptions = {}): Promise<KnownUser> {
  return withDatabase(stack, async ({ connection }) => ({
    ...(await copyFirstAdmin(connection, stack.admin.email, options)),
    password: stack.admin.password,
  }))
}

/** Runs a function with a connection to the database of a stack. */
export async function withDatabase<Result>(
  { dataDir }: Pick<Stack, 'dataDir'>,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await connectDatabase({ mongodbUri: (await readFile(join(dataDir, 'db/uri'), 'utf8')).trim() })
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

export const Tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

/** Starts a session without a browser. */
export async function signInForApi(url: string, { email, password }: Pick<KnownUser, 'email' | 'password'>) {
  return callApi(Tokens, `${url}/api/auth/signin`, { json: { email, password } })
}
