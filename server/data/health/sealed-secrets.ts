import type { DatabaseConnection } from '../connect.ts'
import { signInProviderModel } from '../sign-in-providers/sign-in-providers.ts'
import { userModel } from '../users/user-model.ts'
import { webhookModel } from '../webhooks/webhook-model.ts'

/** A secret that the server stores encrypted with its key, bound to the id of the owner. */
export interface SealedSecret {
  kind: 'two_factor' | 'webhook' | 'provider'
  ownerId: string
  sealed: string
}

/** Yields every encrypted secret: TOTP secrets, signing secrets of webhooks, secrets of sign-in providers. */
export async function* listSealedSecrets(connection: DatabaseConnection): AsyncGenerator<SealedSecret> {
  const users = userModel(connection)
    .find({ 'twoFactor.secret': { $type: 'string' } }, { 'twoFactor.secret': 1 })
    .lean<{ _id: { toHexString(): string }; twoFactor: { secret: string } }[]>()
    .cursor()
  for await (const { _id, twoFactor } of users)
    yield { kind: 'two_factor', ownerId: _id.toHexString(), sealed: twoFactor.secret }
  for await (const { _id, sealedSecret } of webhookModel(connection).find({}, { sealedSecret: 1 }).lean().cursor())
    yield { kind: 'webhook', ownerId: _id.toHexString(), sealed: sealedSecret }
  for await (const { _id, sealedSecret } of signInProviderModel(connection)
    .find({}, { sealedSecret: 1 })
    .lean()
    .cursor()) {
    if (sealedSecret !== null) yield { kind: 'provider', ownerId: _id.toHexString(), sealed: sealedSecret }
  }
}
