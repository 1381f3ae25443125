interface Names {
  firstName: string
  lastName: string
  username: string
}

const accents = /[\u0300-\u036f]/g

/**
 * Returns the key by which lists sort a user's displayed name: first and last name, or else the username. It ignores case and the
 * accents of Latin, Greek and Cyrillic letters. Stored, because the embedded database has no collations.
 */
export function sortNameOf({ firstName, lastName, username }: Names): string {
  const name = `${firstName} ${lastName}`.trim() || username
  return name.normalize('NFKD').replace(accents, '').toLowerCase()
}
