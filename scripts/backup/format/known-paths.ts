/*
 * Where files of a backup may be restored to. Anything else below DATA_DIR, such as the database file or the compile cache, is code or
 * data that the product reads without question.
 */
const knownPaths = [
  /^database\/[^/]+\/(\d{6,}\.bson|indexes\.json)$/,
  /^data\/(secrets|outbox)\/./,
  /^data\/audio\/[0-9a-f]{2}\/[0-9a-f]{24}\.[a-z0-9]+$/,
  /^data\/(terms\.md|privacy\.md|support\.md|initial-admin-password)$/,
  /^models\/(?!\.restoring\/)./,
]

/** Whether a backup may hold a file of this path: it leads out of no folder, and is one that backups are made of. */
export function isKnownPath(path: string): boolean {
  if (path.split('/').some((part) => part === '..' || part === '.' || part === '')) return false
  return knownPaths.some((pattern) => pattern.test(path))
}
