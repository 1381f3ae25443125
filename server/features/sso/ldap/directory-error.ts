/**
 * Thrown if a directory cannot be queried: it is down, does not answer in time, is not trusted, or refuses our searches. `message` is a
 * sentence that tells an administrator what to check; it contains no password.
 */
export class DirectoryUnavailable extends Error {
  override name = 'DirectoryUnavailable'
}

/** Why a directory stops somebody who has the right password: Active Directory gives these reasons when a person signs in. */
export type DirectoryAccountProblem = 'expired' | 'disabled' | 'must_change' | 'locked' | 'not_now'

/**
 * The codes in Active Directory's response to a refused sign-in, such as `80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext
 * error, data 533, v2580`: Windows system errors in hexadecimal (MS-ERREF 2.2). 530 and 531 are hours and computers that the person may not
 * use, 532 is an expired password, 701 an expired account. The password is checked before all of them except 775.
 */
const problemByCode: Record<string, DirectoryAccountProblem> = {
  530: 'not_now',
  531: 'not_now',
  532: 'must_change',
  533: 'disabled',
  701: 'expired',
  773: 'must_change',
  775: 'locked',
}

/** Returns the problem named in the response to a refused sign-in; undefined for a wrong password. */
export function accountProblemOf(answer: string): DirectoryAccountProblem | undefined {
  const code = /\bdata ([0-9a-f]+)\b/i.exec(answer)?.[1]
  return code === undefined ? undefined : problemByCode[code.toLowerCase()]
}
