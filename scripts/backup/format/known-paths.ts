/** Files of DATA_DIR in a backup: an organization's own pages (docs/deployment.md), and the first admin's password while it is valid. */
export const dataFiles = [
  'terms.md',
  'privacy.md',
  'support.md',
  'initial-admin-password',
  // Marks the folder of recordings, so that engines recognize it.
  'audio/.store',
]
/** Folder of DATA_DIR for damaged documents that no database accepts: a restore leaves them there for someone who can repair them. */
export const damagedFolder = 'damaged-documents'
/** Folders of DATA_DIR in a backup, besides the audio folder. */
export const dataFolders = ['secrets', 'outbox', damagedFolder]

/** Path of the audio of a recording in an archive. */
export const audioFile = /^data\/audio\/[0-9a-f]{2}\/[0-9a-f]{24}\.[a-z0-9]+$/
const databaseFile = /^database\/[^/]+\/(\d{6,}\.bson|indexes\.json)$/
const modelFile = /^models\/(?!\.restoring\/)./

function isDataFile(path: string): boolean {
  const [top, name = '', ...rest] = path.split('/')
  if (top !== 'data') return false
  if (dataFiles.includes([name, ...rest].join('/'))) return true
  return rest.length > 0 && (dataFolders.includes(name) || audioFile.test(path))
}

/**
 * Whether a backup may hold a file at this path: it does not lead out of its folder, and is one that backups write. Anything else below
 * DATA_DIR, such as the database file or the compile cache, is code or data that the product trusts without checking.
 */
export function isKnownPath(path: string): boolean {
  if (path.split('/').some((part) => part === '..' || part === '.' || part === '')) return false
  return isDataFile(path) || databaseFile.test(path) || modelFile.test(path)
}
