import type { Batch, BatchCounts, BatchLanguages } from '#contract/batches.ts'
import { t } from '#contract/texts/t.ts'
import { formatList } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'

const detections: Record<string, string> = {
  auto: t('the language detected'),
  multi: t('languages detected part by part'),
}

/** Returns for example `Transcribe in Pashto and English, translate to French`. */
export function describeBatch({ transcribe, target_languages: targets }: Batch): string {
  const to = formatList(targets.map(languageName))
  if (!transcribe) return t('Translate to {targets}', { targets: to })
  const spoken = formatList(spokenLanguages(transcribe))
  return targets.length > 0
    ? t('Transcribe in {spoken}, translate to {targets}', { spoken, targets: to })
    : t('Transcribe in {spoken}', { spoken })
}

function spokenLanguages({ language, channel_languages: both }: BatchLanguages): string[] {
  const names = [...(both ?? []), language].map((code) => detections[code] ?? languageName(code))
  return [...new Set(names)]
}

/** Returns how many recordings of a batch are finished, whatever the outcome. */
export function countEnded({ done, failed, skipped, cancelled }: BatchCounts): number {
  return done + failed + skipped + cancelled
}

/** Returns for example `12 of 30 · 1 failed · 2 skipped`. */
export function describeCounts({ counts, total }: Batch): string {
  const { failed, skipped, cancelled } = counts
  const facts = [t('{ended, number} of {total, number}', { ended: countEnded(counts), total })]
  if (failed > 0) facts.push(t('{count, number} failed', { count: failed }))
  if (skipped > 0) facts.push(t('{count, number} skipped', { count: skipped }))
  if (cancelled > 0) facts.push(t('{count, number} cancelled', { count: cancelled }))
  return facts.join(' · ')
}
