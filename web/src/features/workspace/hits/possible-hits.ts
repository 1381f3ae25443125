import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { recordings } from '#contract/endpoints/recordings.ts'
import { foldKeyword } from '#contract/keywords/fold.ts'
import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import type { CategorizedPossibleHit } from '#contract/possible-hits.ts'
import { call } from '../../../shared/api/client.ts'
import { atomWithStorage, useAtomValue } from '../../../shared/jotai.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'

/** The minimum probability at which possible hits of a category are shown; null shows none. */
export type PossibleHitThresholds = Record<KeywordCategory, number | null>

/** Few hits above the first choice are false: docs/decisions/nearly-heard.md. */
export const thresholdChoices = [0.95, 0.9, 0.8] as const
const [precise] = thresholdChoices

/** The thresholds, per browser and keyword category. */
export const possibleHitThresholdsAtom = atomWithStorage<PossibleHitThresholds>('awaz_possible_hits', {
  threats: precise,
  sentiment: precise,
  intent: precise,
  custom: precise,
})

/** Whether the list is open, per browser; it is fetched only then. */
export const arePossibleHitsOpenAtom = atomWithStorage('awaz_possible_hits_open', false)

/** A possible hit and the line at its time. */
export interface PlacedPossibleHit extends CategorizedPossibleHit {
  lineId: string
}

/** Returns the possible hits to show, and whether any were searched for; undefined until known, or if not wanted. */
export function usePossibleHits({
  isWanted,
}: {
  isWanted: boolean
}): { isSearched: boolean; hits: PlacedPossibleHit[] } | undefined {
  const { recording, transcription, lines } = useDesk()
  const thresholds = useAtomValue(possibleHitThresholdsAtom)
  const { data } = useQuery({
    queryKey: ['possible-hits', recording.id, transcription?.transcription_id],
    queryFn: () => call(recordings.possibleHits, { params: { id: recording.id } }),
    enabled: isWanted && transcription !== null,
  })
  return useMemo(
    () => data && { isSearched: data.is_searched, hits: choosePossibleHits(data.hits, { thresholds, lines }) },
    [data, thresholds, lines],
  )
}

/** Returns the hits that are probable enough, without those that a line now has as a certain hit, since people correct lines. */
export function choosePossibleHits(
  hits: readonly CategorizedPossibleHit[],
  { thresholds, lines }: { thresholds: PossibleHitThresholds; lines: readonly ConversationLine[] },
): PlacedPossibleHit[] {
  return hits.flatMap((hit) => {
    const threshold = thresholds[hit.category]
    if (threshold === null || hit.probability < threshold) return []
    const line = lineAt(hit, lines)
    const isCertain = line?.hits.original.some(({ keyword }) => foldKeyword(keyword) === foldKeyword(hit.keyword))
    return line && !isCertain ? [{ ...hit, lineId: line.id }] : []
  })
}

/** Returns the line spoken at the time of a hit, or the nearest one in its channel. */
function lineAt({ start, channel }: CategorizedPossibleHit, lines: readonly ConversationLine[]) {
  const distance = (line: ConversationLine) => Math.max(0, line.start - start, start - line.end)
  const own = lines.filter(({ segment }) => segment && (channel === undefined || segment.channel === channel))
  const [first, ...rest] = own
  return first && rest.reduce((best, line) => (distance(line) < distance(best) ? line : best), first)
}
