import type { DoctorFinding, FindingWithRecordings } from '#contract/entities/upkeep.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findNamedRecordings } from '#data/health/named-recordings.ts'
import { findReadableNames } from '#data/recordings/readable-names.ts'
import type { AuthUser } from '#server/http/context.ts'

/**
 * Returns a function that tells a reader which recordings findings concern, in the same way as the audit trail: by owner, and by name if
 * the reader may read them.
 */
export function createFindingPresenter(connection: DatabaseConnection) {
  return async (findings: DoctorFinding[], user: AuthUser): Promise<FindingWithRecordings[]> => {
    const ids = [...new Set(findings.flatMap(({ recordings = [] }) => recordings))]
    if (ids.length === 0) return findings.map(({ recordings: _none, ...finding }) => finding)
    const [known, readable] = await Promise.all([
      findNamedRecordings(connection, ids),
      findReadableNames(connection, user.id, user.isLibraryClosed ? [] : ids),
    ])
    return findings.map(({ recordings, ...finding }) => {
      if (!recordings) return finding
      const shown = known
        .filter(({ id }) => recordings.includes(id))
        .map(({ id, owner, uploadedAt }) => ({
          id,
          name: readable.get(id)?.name ?? null,
          owner,
          uploaded_at: uploadedAt.toISOString(),
          can_open: readable.get(id)?.isLive ?? false,
        }))
      return { ...finding, recordings: shown }
    })
  }
}
