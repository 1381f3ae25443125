import { api } from '#contract/api.ts'
import { createPasskey, signWithPasskey, type SoftwarePasskey } from '#testing/authenticator.ts'
import type { SignedInUser, TestServer } from '#testing/server.ts'

type Settings = Partial<Parameters<typeof signWithPasskey>[2]>

/** Returns the origin of the test server's pages: PUBLIC_URL. */
export const originOf = ({ config }: Pick<TestServer, 'config'>) => config.publicUrl

/** Begins to add a passkey and creates it; does not send it yet. */
export async function makePasskey(server: TestServer, token: string, settings: Settings = {}) {
  const { options } = (await server.call(api.passkeys.begin, { token })).data
  return { options, ...createPasskey(options, { origin: originOf(server), ...settings }) }
}

/** Adds a passkey as a browser does. */
export async function addPasskey(
  server: TestServer,
  { accessToken: token }: Pick<SignedInUser, 'accessToken'>,
  name = 'Laptop',
) {
  const { passkey: key, response } = await makePasskey(server, token)
  const { passkey } = (await server.call(api.passkeys.add, { token, body: { name, response } })).data
  return { key, passkey }
}

/** Signs in with a passkey as a browser does. */
export async function signInWithPasskey(server: TestServer, key: SoftwarePasskey, settings: Settings = {}) {
  const { challenge_id, options } = (await server.call(api.passkeys.beginSignIn)).data
  const response = signWithPasskey(key, options, { origin: originOf(server), ...settings })
  return server.call(api.passkeys.signIn, { body: { challenge_id, response } })
}
