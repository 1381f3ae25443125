import { BSON } from 'mongodb'
import type { RestorePoint } from '#data/restore-points/restore-points.ts'
import { openDataFile } from '#server/embedded-db/storage/read-data-file.ts'
import { countOf } from '../doctor/finding.ts'

/** Collections that users know, with their word for the documents. */
export const labels = {
  users: 'accounts',
  recordings: 'recordings',
  jobs: 'transcripts, translations and other jobs',
  cases: 'cases',
  notes: 'notes',
  keywords: 'keywords',
  word_lists: 'word lists',
  api_keys: 'API keys',
  audit_events: 'events of the audit trail',
} as const

export type IdsByCollection = Map<string, Set<string>>

/** Applies whenever someone goes back. */
const revived = [
  'Valid again are sessions that have ended since, accounts that were deactivated, roles that were taken away and API keys that were revoked.',
  'Webhook calls that were waiting then are sent again, and jobs that were running then run again. Mails that wait now are not sent.',
]

/** Returns sentences about what going back to a restore point undoes. */
export function describeLoss(point: RestorePoint, current: IdsByCollection | string): string[] {
  if (typeof current === 'string') return [`What was made since is lost; it cannot be counted: ${current}`, ...revived]
  const former = readIds(point)
  const lost = Object.entries(labels).flatMap(([name, label]) => {
    const count = countMissing(current.get(name), former.get(name))
    return count > 0 ? `  ${count} ${label}` : []
  })
  const revokedKeys = countMissing(former.get('api_keys'), current.get('api_keys'))
  const missing = countMissing(former.get('recordings'), current.get('recordings'))
  return [
    lost.length > 0 ? 'Made since, and lost:' : 'Nothing was made since.',
    ...lost,
    'Changes since of what existed then, such as passwords, edits and deletions, are undone.',
    ...(revokedKeys > 0
      ? [
          `${countOf(revokedKeys, 'API key')} deleted since ${revokedKeys === 1 ? 'comes back, valid until it expires' : 'come back, valid until they expire'}.`,
        ]
      : []),
    ...revived,
    ...(missing > 0
      ? [
          `${countOf(missing, 'recording')} that this data does not have come back, without audio where it was deleted since.`,
        ]
      : []),
    ...(lost.length > 0 ? ['Audio without a recording is put aside in DATA_DIR/audio/orphans after a day.'] : []),
  ]
}

function countMissing(from: Set<string> = new Set(), other: Set<string> = new Set()): number {
  return [...from].filter((id) => !other.has(id)).length
}

function readIds({ dataFile }: RestorePoint): IdsByCollection {
  const data = openDataFile(dataFile)
  try {
    const ids: IdsByCollection = new Map()
    for (const { name, documents } of data.collections('awaz')) {
      if (!Object.hasOwn(labels, name)) continue
      const found = new Set<string>()
      for (const bytes of documents()) {
        const { _id, deletedAt } = BSON.deserialize(bytes)
        if (name !== 'recordings' || !deletedAt) found.add(String(_id))
      }
      ids.set(name, found)
    }
    return ids
  } finally {
    data.close()
  }
}
