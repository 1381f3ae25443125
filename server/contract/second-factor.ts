import { z } from 'zod'
import { TokenSeed } from './token-seed.ts'

/** The kinds of second factor: an authenticator, which shows codes, or a printed list of single-use codes. */
const SecondFactorKind = z.enum(['authenticator', 'printed_codes'])

/** The format of an authenticator code. */
export const authenticatorCodeShape = /^\d{6}$/
/** The format of a code on a printed list, and of a backup code. */
export const printedCodeShape = /^[a-z\d]{8}$/i

/** The input for a setup: empty for an authenticator whose secret is generated here. */
export const SecondFactorChoice = z.object({
  kind: SecondFactorKind.default('authenticator'),
  /** The seed of a hardware token: 6 digits, 30 seconds. If missing, a secret is generated. */
  secret: TokenSeed.optional(),
})
export type SecondFactorChoice = z.input<typeof SecondFactorChoice>

/** A printed list should be replaced while there are still enough codes left to do so. */
export const fewPrintedCodes = 5
