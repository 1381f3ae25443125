import type { Client, Entry, SearchOptions } from 'ldapts'
import type { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import type { ExternalIdentity } from '../external-identity.ts'
import { DirectoryUnavailable } from './directory-error.ts'
import { isGroup } from './distinguished-name.ts'
import { fillFilter } from './filter.ts'
import { toUnavailable } from './result-codes.ts'

export type DirectorySettings = Omit<LdapProviderInput, 'kind'>

/** Maximum number of groups that are read for one person. */
const maxGroups = 1000

export type DirectorySearch = Awaited<ReturnType<typeof openSearch>>

/** Active Directory attributes whose 16 bytes are written as a UUID with its first three parts in little-endian order. */
const littleEndianIds = new Set(['objectguid', 'ms-ds-consistencyguid'])
/** Binary ids, as directories spell them: ldapts decides by the exact name which values it leaves as bytes. */
const binaryAttributes = ['objectGUID', 'mS-DS-ConsistencyGuid', 'objectSid', 'GUID']

/**
 * Signs in on a connection as the searching account, or stays anonymous if none is set, and returns searches on it. All of them throw
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
      // References to other directories are not followed: nobody has permitted querying those.
      return (await client.search(base, { scope: 'sub', ...limits, ...options })).searchEntries
    } catch (error) {
      throw toUnavailable(error, settings, `The directory refused the search in ${base}`)
    }
  }

  /** Returns the entries that match a name; two at most, which is already one too many. */
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

  /** Returns whether the searching account may read the base entry of the searches. */
  async function canReadBase(): Promise<boolean> {
    return (await search(baseDn, { scope: 'base', attributes: ['1.1'] })).length > 0
  }

  async function describe(entry: Entry, username: string): Promise<ExternalIdentity> {
    const subject = readEntryId(entry, settings.id_attribute)
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

  /** Returns those groups named in the settings, as written there, that are among `groups`. */
  function namesInSettings(groups: string[]): string[] {
    const written = settings.group_roles.map(({ group }) => group)
    return written.filter((name) => groups.some((group) => isGroup(name, group)))
  }

  return { findPeople, canReadBase, describe }
}

const binaryNames = new Set(binaryAttributes.map((name) => name.toLowerCase()))
const decoder = new TextDecoder('utf8', { fatal: true })

/** Returns the values of an attribute, ignoring the case of its name, as bytes or text; a long list may come as `memberOf;range=0-1499`. */
function valuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  const wanted = attribute.toLowerCase()
  const found = Object.entries(entry).filter(([name]) => {
    const [type, option] = name.toLowerCase().split(';')
    return (
      type === wanted && name !== 'dn' && (option === undefined || option.startsWith('range=') || option === 'binary')
    )
  })
  return found.flatMap(([, value]) => value)
}

/** Returns the texts of an attribute. */
function textsOf(entry: Entry, attribute: string): string[] {
  return valuesOf(entry, attribute).flatMap((value) => toText(value) ?? [])
}

/** Returns the first text of an attribute; empty if there is none. */
function textOf(entry: Entry, attribute: string): string {
  return textsOf(entry, attribute)[0]?.trim() ?? ''
}

/**
 * Returns the id that never changes: a UUID for `objectGUID`, other bytes in hexadecimal, otherwise the text. The form depends only on the
 * attribute and the bytes, so it is the same at each sign-in. Empty if the entry has no such attribute.
 */
export function readEntryId(entry: Entry, attribute: string): string {
  const [value] = valuesOf(entry, attribute)
  if (value === undefined) return ''
  const bytes = Buffer.from(value)
  const name = attribute.toLowerCase()
  if (littleEndianIds.has(name) && bytes.length === 16) return toUuid(bytes)
  const text = binaryNames.has(name) ? undefined : toText(value)
  return text ?? `0x${bytes.toString('hex')}`
}

function toText(value: string | Buffer): string | undefined {
  if (typeof value === 'string') return value
  try {
    return decoder.decode(value)
  } catch {
    return undefined
  }
}

/** MS-DTYP 2.3.4.2: a GUID as a packet stores it. */
function toUuid(bytes: Buffer): string {
  const ordered = Buffer.from(bytes)
  ordered.subarray(0, 4).reverse()
  ordered.subarray(4, 6).reverse()
  ordered.subarray(6, 8).reverse()
  return ordered.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
