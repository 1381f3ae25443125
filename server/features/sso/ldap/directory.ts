import { randomBytes } from 'node:crypto'
import { InvalidCredentialsError, ResultCodeError } from 'ldapts'
import type { ExternalIdentity } from '../external-identity.ts'
import { withDirectory } from './connection.ts'
import { accountProblemOf, DirectoryUnavailable, type DirectoryAccountProblem } from './directory-error.ts'
import { openSearch, type DirectorySearch, type DirectorySettings } from './directory-search.ts'
import { fillFilter } from './filter.ts'
import { toUnavailable } from './result-codes.ts'

/** The directory's answer to a name and a password. */
export type DirectoryAnswer =
  | { kind: 'person'; identity: ExternalIdentity }
  | { kind: 'wrong_credentials'; reason: 'unknown_user' | 'several_entries' | 'wrong_password' }
  | { kind: 'account_problem'; problem: DirectoryAccountProblem }

/** The result shown to an administrator who tests a provider, one sentence per step. */
export interface DirectoryTest {
  is_working: boolean
  details: string[]
}

/** Queries a directory (RFC 4511) about people. Nothing is kept between calls; each connection is closed. */
export function createDirectory(settings: DirectorySettings) {
  /**
   * Searches for a person and signs in as the entry found. An unknown name, or one shared by several entries, costs the same connections as
   * a wrong password. Throws `DirectoryUnavailable`.
   */
  async function signIn(username: string, password: string): Promise<DirectoryAnswer> {
    // Directories accept a name with an empty password, which proves nothing (RFC 4513, section 5.1.2).
    if (password === '') return { kind: 'wrong_credentials', reason: 'wrong_password' }
    return withDirectory(settings, async ({ client }) => {
      const search = await openSearch(client, settings)
      const [entry, ...others] = await search.findPeople(username)
      if (!entry || others.length > 0) {
        await bindAsNobody()
        return { kind: 'wrong_credentials', reason: entry ? 'several_entries' : 'unknown_user' }
      }
      const refusal = await bindAs(entry.dn, password)
      return refusal ?? { kind: 'person', identity: await search.describe(entry, username) }
    })
  }

  /** Signs in on a separate connection; returns why it failed. */
  async function bindAs(dn: string, password: string): Promise<DirectoryAnswer | undefined> {
    return withDirectory(settings, async ({ client }) => {
      try {
        await client.bind(dn, password)
        return undefined
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal) return refusal
        throw toUnavailable(error, settings, 'The directory could not check the password')
      }
    })
  }

  /** Fails like a wrong password, using a random name and password that nobody has. */
  async function bindAsNobody(): Promise<void> {
    const [name, password] = [randomBytes(8).toString('hex'), randomBytes(16).toString('hex')]
    await withDirectory(settings, async ({ client }) => {
      await client.bind(`cn=${name},${settings.base_dn}`, password).catch((error: unknown) => {
        if (!(error instanceof ResultCodeError))
          throw toUnavailable(error, settings, 'The directory could not check the password')
      })
    })
  }

  /** Tries the settings, and shows what the directory says about a person if one is named. Asks for no password and shows none. */
  async function test(username: string): Promise<DirectoryTest> {
    const details: string[] = []
    try {
      const isWorking = await withDirectory(settings, async ({ client, protection }) => {
        details.push(`Connected to ${settings.url}: ${protection}.`)
        const search = await openSearch(client, settings)
        details.push(settings.bind_dn === '' ? 'Searching without an account.' : `Searching as ${settings.bind_dn}.`)
        return username === '' ? testBase(search, settings, details) : testPerson(search, username, settings, details)
      })
      return { is_working: isWorking, details }
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable)) throw error
      return { is_working: false, details: [...details, error.message] }
    }
  }

  return { signIn, test }
}

/** Returns the meaning of a person's refused sign-in; undefined if the directory could not decide. */
function refusalOf(error: unknown): DirectoryAnswer | undefined {
  if (!(error instanceof ResultCodeError)) return undefined
  const problem = error instanceof InvalidCredentialsError ? accountProblemOf(error.message) : undefined
  if (problem) return { kind: 'account_problem', problem }
  if (wrongPasswordCodes.has(error.code)) return { kind: 'wrong_credentials', reason: 'wrong_password' }
  return undefined
}

/**
 * RFC 4511, appendix A: noSuchObject for an entry that has since been removed, inappropriateAuthentication for one without a password,
 * invalidCredentials, insufficientAccessRights.
 */
const wrongPasswordCodes = new Set([32, 48, 49, 50])

async function testBase(
  search: DirectorySearch,
  { user_filter: filter, base_dn: base }: DirectorySettings,
  details: string[],
): Promise<boolean> {
  fillFilter(filter, { username: 'anybody' })
  const isReadable = await search.canReadBase()
  details.push(
    isReadable
      ? `Found ${base}. Enter a name to see what the directory says of that person.`
      : `${base} shows nothing to this account. Please let it read there.`,
  )
  return isReadable
}

async function testPerson(
  search: DirectorySearch,
  username: string,
  { base_dn: base, email_attribute: emailAttribute }: DirectorySettings,
  details: string[],
): Promise<boolean> {
  const [entry, ...others] = await search.findPeople(username)
  if (!entry) {
    details.push(`No entry in ${base} has the name ${username}. Please check base DN and filter.`)
    return false
  }
  if (others.length > 0) {
    details.push(`Several entries have the name ${username}. Please narrow the filter: only one may match.`)
    return false
  }
  details.push(`Found ${entry.dn}.`)
  const { email, firstName, lastName, groups } = await search.describe(entry, username)
  details.push(`E-mail: ${email || `none in ${emailAttribute}; without one no account can be created`}.`)
  details.push(`Name: ${[firstName, lastName].filter((name) => name !== '').join(' ') || 'none'}.`)
  details.push(`Groups: ${groups.join('; ') || 'none'}.`)
  return email !== ''
}
