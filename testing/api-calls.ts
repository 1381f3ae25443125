import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

interface CallOptions {
  /** Default: POST if there is a body, otherwise GET. */
  method?: 'PUT'
  token?: string
  json?: object
  form?: FormData
}

/** Calls a running server and returns the parsed response. Throws on an error response. */
export async function callApi<Schema extends z.ZodType>(
  schema: Schema,
  url: string,
  { method, token, json, form }: CallOptions = {},
): Promise<z.infer<Schema>> {
  const response = await fetch(url, {
    method: method ?? (json || form ? 'POST' : 'GET'),
    headers: {
      Prefer: 'respond-async',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(json && { 'Content-Type': 'application/json' }),
    },
    ...(json && { body: JSON.stringify(json) }),
    ...(form && { body: form }),
  })
  const body = await response.text()
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${body}`)
  return schema.parse(JSON.parse(body))
}

/** The password that signInAsFirstAdmin chooses. */
export const chosenPassword = 'Harvest-moon!7x'

/** Signs in as the first super admin of a fresh server, who must choose a password first, and returns the access token. */
export async function signInAsFirstAdmin(url: string, dataDir: string): Promise<string> {
  const [email = '', initial = ''] = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).split('\n')
  const Tokens = z.object({ access_token: z.string() })
  const signIn = async (password: string) =>
    (await callApi(Tokens, `${url}/api/auth/signin`, { json: { email, password } })).access_token
  const json = { current_password: initial, new_password: chosenPassword }
  await callApi(z.unknown(), `${url}/api/auth/change-password`, { token: await signIn(initial), json })
  return signIn(chosenPassword)
}
