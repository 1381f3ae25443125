import { unsentUploadsPrefix } from '../recordings/tab-data.ts'

/** A file that was chosen but that the server does not have. */
interface UnsentFile {
  name: string
  size: number
  /** When a tab last noted that it is sending the file or going to, in milliseconds since 1970; 0 once that tab is closed. */
  at: number
}

type NamedFile = Pick<UnsentFile, 'name' | 'size'>

/** More than can be chosen at once. */
const maxFiles = 400

const isSame = (a: NamedFile, b: NamedFile) => a.name === b.name && a.size === b.size

/** Returns a user's files that were not sent, including in earlier visits. */
export function readUnsentFiles(ownerId: string): UnsentFile[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(unsentUploadsPrefix + ownerId) ?? '[]')
    return Array.isArray(stored) ? (stored as UnsentFile[]) : [] // written below
  } catch {
    return []
  }
}

/** Notes that a tab is going to send files. */
export function noteUnsentFiles(ownerId: string, files: NamedFile[], at: number): void {
  const others = readUnsentFiles(ownerId).filter((known) => !files.some((file) => isSame(file, known)))
  write(ownerId, [...others, ...files.map(({ name, size }) => ({ name, size, at }))])
}

/** Forgets a file that was sent, or that the user gave up. */
export function forgetUnsentFile({ ownerId, ...file }: NamedFile & { ownerId: string }): void {
  const files = readUnsentFiles(ownerId)
  const others = files.filter((known) => !isSame(known, file))
  if (others.length < files.length) write(ownerId, others)
}

function write(ownerId: string, files: UnsentFile[]): void {
  const key = unsentUploadsPrefix + ownerId
  if (files.length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify(files.slice(-maxFiles)))
}
