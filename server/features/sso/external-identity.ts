/** A person as an OpenID provider or a directory describes them at a sign-in that it confirmed. */
export interface ExternalIdentity {
  /** Names the person at the provider forever: the claim `sub`, or the directory's entry UUID. Never an e-mail or a name. */
  subject: string
  /** As the provider wrote it; empty where it names none. */
  email: string
  /** Whether the provider vouches for the address. A directory does; an OpenID provider says so in `email_verified`. */
  isEmailVerified: boolean
  /** Empty where the provider names none. */
  firstName: string
  lastName: string
  /** Names of groups as the provider writes them; in a directory, distinguished names. */
  groups: string[]
  /** Whether the provider says that it asked for a second factor. A directory never does. */
  hasProvenSecondFactor: boolean
}
