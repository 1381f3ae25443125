/** A person as described by an OpenID provider or a directory at a sign-in that it confirmed. */
export interface ExternalIdentity {
  /**
   * Identifies the person at the provider permanently: the claim `sub`, or the directory's entry UUID. Never an e-mail address or a name.
   */
  subject: string
  /** As the provider wrote it; empty if it gives none. */
  email: string
  /** Whether the provider vouches for the address. A directory always does; an OpenID provider states it in `email_verified`. */
  isEmailVerified: boolean
  /** Empty if the provider gives none. */
  firstName: string
  lastName: string
  /** Names of groups as the provider writes them; for a directory, distinguished names. */
  groups: string[]
  /** Whether the provider states that it asked for a second factor. A directory never does. */
  hasProvenSecondFactor: boolean
}
