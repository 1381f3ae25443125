import { api } from '#contract/api.ts'
import { foldKeyword } from '#contract/keywords/fold.ts'
import { keywordCategories, type KeywordCategory, type Keywords } from '#contract/keywords/keywords.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { readPossibleHits } from '#data/jobs/possible-hits.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readKeywordsInUse } from '#data/keywords/keyword-lists.ts'
import { currentTranscription } from '#data/recordings/versions.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { RecordingAccessGuard } from './recording-access.ts'

interface PossibleHitsDeps {
  queue: Queue
  recordingAccess: RecordingAccessGuard
}

/**
 * Mounts /api/recordings/:id/possible-hits. A reader gets those of words that are also their own keywords: what is stored was looked for with
 * the keywords of the recording's owner, which are nobody else's business.
 */
export function mountPossibleHits(router: AppRouter, { queue, recordingAccess }: PossibleHitsDeps): void {
  const { connection } = queue

  route(router, api.recordings.possibleHits, async ({ params, ...caller }) => {
    const recording = await recordingAccess.requireReadable(caller, params.id)
    const current = currentTranscription(
      recording,
      await listJobsOfRecordings(queue, recording.ownerId, [recording.id]),
    )
    if (!current) return { transcription_id: null, is_searched: false, hits: [] }
    const [stored, keywords] = await Promise.all([
      readPossibleHits(connection, { ownerId: recording.ownerId, jobId: current.id }),
      readKeywordsInUse(connection, caller.user.id),
    ])
    const categories = categoriesOf(keywords)
    const hits = (stored ?? []).flatMap((hit) => {
      const category = categories.get(foldKeyword(hit.keyword))
      return category ? [{ ...hit, category }] : []
    })
    return { transcription_id: current.id, is_searched: stored !== null, hits }
  })
}

/** Returns the category of each keyword, folded; the first one counts. */
function categoriesOf(keywords: Keywords): Map<string, KeywordCategory> {
  const categories = new Map<string, KeywordCategory>()
  for (const category of keywordCategories.toReversed()) {
    for (const keyword of keywords[category]) categories.set(foldKeyword(keyword), category)
  }
  return categories
}
