import { z } from 'zod'
import { TokenSeed } from './token-seed.ts'

/** What a user sets up: an authenticator, which shows codes, or a list of single-use codes on paper. */
const SecondFactorKind = z.enum(['authenticator', 'printed_codes'])

/** The shape of a code of an authenticator. */
export const authenticatorCodeShape = /^\d{6}$/
/** The shape of a code of a printed list, and of a backup code. */
export const printedCodeShape = /^[a-z\d]{8}$/i

/** What a set-up begins with: nothing for an authenticator whose secret is made here. */
export const SecondFactorChoice = z.object({
  kind: SecondFactorKind.default('authenticator'),
  /** The seed of a hardware token: 6 digits, 30 seconds. Without it a secret is made. */
  secret: TokenSeed.optional(),
})
export type SecondFactorChoice = z.input<typeof SecondFactorChoice>

/** A printed list is replaced while there are codes left to do it with. */
export const fewPrintedCodes = 5
