import { inflateRawSync } from 'node:zlib'

/** Returns the files of a zip archive as text, by their names (APPNOTE.TXT, 4.3.12: the central directory). */
export function readZip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) throw new Error('Not a zip archive')
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    files.set(name, readEntry(archive, archive.readUInt32LE(at + 42), archive.readUInt32LE(at + 20)))
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

function readEntry(archive: Buffer, offset: number, size: number): string {
  const start = offset + 30 + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const content = archive.subarray(start, start + size)
  const isDeflated = archive.readUInt16LE(offset + 8) === 8
  return (isDeflated ? inflateRawSync(content) : content).toString('utf8')
}
