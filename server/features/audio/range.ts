/** A range of bytes from `start` to `end`, both inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Parses the Range header for a file of `size` bytes (RFC 9110, section 14). Returns one range; `unsatisfiable` when it begins past the
 * end; null when the whole file must be sent, as for a header that cannot be parsed or that names several ranges.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '')
  if (!match) return null
  const [first, last] = [match[1] ?? '', match[2] ?? '']
  if (first === '' && last === '') return null
  if (first === '') return suffix(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}

/** Returns the range of the last `length` bytes. */
function suffix(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0 || size === 0) return 'unsatisfiable'
  return { start: Math.max(0, size - length), end: size - 1 }
}
