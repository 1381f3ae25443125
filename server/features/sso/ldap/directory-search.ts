import type { Client, Entry, SearchOptions } from 'ldapts'
import type { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import type { ExternalIdentity } from '../external-identity.ts'
import { DirectoryUnavailable } from './directory-error.ts'
import { isGroup } from './distinguished-name.ts'
import { binaryAttributes, idOf, textOf, textsOf } from './entry.ts'
import { fillFilter } from './filter.ts'
import { toUnavailable } from './result-codes.ts'

export type DirectorySettings = Omit<LdapProviderInput, 'kind'>

/** More groups of one person than this are not read. */
const maxGroups = 1000

export type DirectorySearch = Awaited<ReturnType<typeof openSearch>>

/**
 * Signs in on a connection as the account that searches, or stays anonymous where none is set, and returns searches on it. All throw
 * `DirectoryUnavailable`.
 */
export async function openSearch(client: Client, settings: DirectorySettings) {
  const { bind_dn: serviceDn, bind_password: servicePassword, base_dn: baseDn } = settings

  if (serviceDn !== '') {
    if (!servicePassword)
      throw new DirectoryUnavailable(`The password of the searching account ${serviceDn} is missing. Please enter it.`)
    await client.bind(serviceDn, servicePassword).catch((error: unknown) => {
      throw toUnavailable(error, settings, `The directory refused the searching account ${serviceDn}`)
    })
  }

  async function search(base: string, options: SearchOptions): Promise<Entry[]> {
    try {
      const limits = { derefAliases: 'never' as const, timeLimit: settings.timeout_seconds }
      // References to other directories are not followed: nobody has allowed asking those.
      return (await client.search(base, { scope: 'sub', ...limits, ...options })).searchEntries
    } catch (error) {
      throw toUnavailable(error, settings, `The directory refused the search in ${base}`)
    }
  }

  /** Returns the entries that match a name; two at most, which is one too many. */
  async function findPeople(username: string): Promise<Entry[]> {
    const { id_attribute: id, email_attribute: email, groups_attribute: groups } = settings
    const attributes = [id, email, settings.first_name_attribute, settings.last_name_attribute, groups]
    return search(baseDn, {
      filter: fillFilter(settings.user_filter, { username }),
      attributes: attributes.filter((name) => name !== ''),
      explicitBufferAttributes: [id, ...binaryAttributes],
      sizeLimit: 2,
    })
  }

  /** Returns whether the searching account may read the entry where searches begin. */
  async function canReadBase(): Promise<boolean> {
    return (await search(baseDn, { scope: 'base', attributes: ['1.1'] })).length > 0
  }

  async function describe(entry: Entry, username: string): Promise<ExternalIdentity> {
    const subject = idOf(entry, settings.id_attribute)
    if (subject === '') {
      throw new DirectoryUnavailable(
        `The entry ${entry.dn} has no attribute ${settings.id_attribute}. Please set the ID attribute to one that never changes, such as entryUUID or objectGUID.`,
      )
    }
    const groups = await groupsOf(entry, username)
    return {
      subject,
      email: textOf(entry, settings.email_attribute),
      isEmailVerified: true,
      firstName: textOf(entry, settings.first_name_attribute),
      lastName: textOf(entry, settings.last_name_attribute),
      groups: [...new Set([...groups, ...namesInSettings(groups)])],
      hasProvenSecondFactor: false,
    }
  }

  /** Returns the distinguished names of a person's groups. */
  async function groupsOf(entry: Entry, username: string): Promise<string[]> {
    const listed = settings.groups_attribute === '' ? [] : textsOf(entry, settings.groups_attribute)
    if (settings.group_base_dn === '') return listed
    const found = await search(settings.group_base_dn, {
      filter: fillFilter(settings.group_filter, { dn: entry.dn, username }),
      attributes: ['1.1'],
      sizeLimit: maxGroups,
    })
    return [...listed, ...found.map(({ dn }) => dn)]
  }

  /** Returns the groups of the settings, as they are written there, that are among `groups`. */
  function namesInSettings(groups: string[]): string[] {
    const written = settings.group_roles.map(({ group }) => group)
    return written.filter((name) => groups.some((group) => isGroup(name, group)))
  }

  return { findPeople, canReadBase, describe }
}
