import type { Entry } from 'ldapts'

/** Attributes of Active Directory whose 16 bytes are written as a UUID with its first three parts in little-endian order. */
const littleEndianIds = new Set(['objectguid', 'ms-ds-consistencyguid'])
/** Ids that are bytes, as directories spell them: ldapts decides by the exact name which values it leaves as bytes. */
export const binaryAttributes = ['objectGUID', 'mS-DS-ConsistencyGuid', 'objectSid', 'GUID']
const binaryNames = new Set(binaryAttributes.map((name) => name.toLowerCase()))
const decoder = new TextDecoder('utf8', { fatal: true })

/** Returns the values of an attribute, named in any case, as bytes or text; a long list may come as `memberOf;range=0-1499`. */
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
export function textsOf(entry: Entry, attribute: string): string[] {
  return valuesOf(entry, attribute).flatMap((value) => toText(value) ?? [])
}

/** Returns the first text of an attribute; empty where there is none. */
export function textOf(entry: Entry, attribute: string): string {
  return textsOf(entry, attribute)[0]?.trim() ?? ''
}

/**
 * Returns the id that never changes: a UUID for `objectGUID`, bytes in hexadecimal, otherwise the text. The form depends only on the attribute
 * and the bytes, so it is the same at each sign-in. Empty where the entry has no such attribute.
 */
export function idOf(entry: Entry, attribute: string): string {
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
