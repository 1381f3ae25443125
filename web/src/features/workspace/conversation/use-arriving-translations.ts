import { useMemo, useState } from 'react'
import type { Job } from '#contract/entities/job.ts'
import type { TranslatedSegment } from '#contract/translation.ts'
import type { ConversationLine } from '../state/conversation-line.ts'

interface Arrived {
  jobId: string
  /** The line that arrived last. */
  latest: TranslatedSegment | null
  byLine: Map<string, TranslatedSegment>
}

/** Returns the lines with the results so far of a running translation into `target`. */
export function useArrivingTranslations(
  lines: ConversationLine[],
  job: Job | undefined,
  target: string,
): ConversationLine[] {
  const [arrived, setArrived] = useState<Arrived>({ jobId: '', latest: null, byLine: new Map() })
  const isWanted = job?.target_language === target
  const latest = isWanted && job.progress?.latest_segment
  if (isWanted && latest && 'translated_text' in latest && latest !== arrived.latest) {
    const known = arrived.jobId === job.id ? arrived.byLine : []
    setArrived({ jobId: job.id, latest, byLine: new Map([...known, [keyOf(latest, latest.speaker), latest]]) })
  }
  const { byLine, jobId } = arrived
  const isRunning = isWanted && job.id === jobId
  return useMemo(() => {
    if (!isRunning || byLine.size === 0) return lines
    return lines.map((line) => {
      const translated = line.segment && byLine.get(keyOf(line.segment, line.segment.speaker))
      return translated?.text === line.segment?.text && translated
        ? { ...line, translated, isTranslationStale: false }
        : line
    })
  }, [lines, byLine, isRunning])
}

function keyOf({ start, end }: { start: number; end: number }, speaker: string | null | undefined): string {
  return `${speaker ?? ''} ${start} ${end}`
}
