import { AppError } from '#contract/app-error.ts'
import type { KeptAddress } from '#contract/entities/user.ts'
import type { Clock } from '#data/clock.ts'
import type { PasskeyChallengeRepository } from '#data/passkeys/passkey-challenges.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { AuthSession, RequestOrigin } from '#server/http/context.ts'
import { assertCanProve, type LibraryProofs } from '../closed-library/proofs.ts'
import { assertIsReachedAs, type RelyingParty } from './relying-party.ts'
import { ceremonyTimeoutMs, createSignInOptions, readSignInClaim, verifySignIn } from './webauthn.ts'

interface PasskeyLibraryProofDeps {
  relyingParty: RelyingParty
  challenges: PasskeyChallengeRepository
  libraryProofs: Pick<LibraryProofs, 'proveBy'>
  clock: Clock
}

interface Prover {
  user: UserRecord
  session: AuthSession
}

const challengeKey = ({ session }: Prover) => `library:${session.id}`

/** Opens a closed library with a passkey that the account had before the reset removed it. */
export function createPasskeyLibraryProof({ relyingParty, challenges, libraryProofs, clock }: PasskeyLibraryProofDeps) {
  /** Returns the options for the browser. Throws `conflict` if there is nothing to prove, or at an address where passkeys cannot work. */
  async function begin(prover: Prover, requestOrigin: string) {
    assertCanProve(prover)
    assertIsReachedAs(relyingParty, requestOrigin)
    const options = await createSignInOptions(relyingParty)
    await challenges.store(challengeKey(prover), options.challenge, new Date(clock.now() + ceremonyTimeoutMs))
    return options
  }

  /** Throws `wrong_code`, and the errors of `LibraryProofs.proveBy`. */
  async function prove(
    prover: Prover,
    { response, address }: { response: unknown; address: KeptAddress },
    origin: RequestOrigin,
  ): Promise<void> {
    const wrong = new AppError('wrong_code', 'This is not a passkey from before the reset')
    const isRight = () => isFormer(prover, response)
    await libraryProofs.proveBy('passkey', { ...prover, origin, address }, { isRight, wrong })
  }

  async function isFormer(prover: Prover, response: unknown): Promise<boolean> {
    const challenge = await challenges.consume(challengeKey(prover), new Date(clock.now()))
    const claim = readSignInClaim(response)
    const known = prover.user.libraryClosure?.former.passkeys ?? []
    const passkey = known.find(({ credentialId }) => credentialId === claim?.credentialId)
    if (!claim || !passkey || challenge === undefined || claim.userId !== prover.user.id) return false
    return (await verifySignIn(claim, passkey, { relyingParty, challenge })) !== undefined
  }

  return { begin, prove }
}

export type PasskeyLibraryProof = ReturnType<typeof createPasskeyLibraryProof>
