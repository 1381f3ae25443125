import type { Batch, BatchCounts, BatchLanguages } from '#contract/batches.ts'
import { t } from '#contract/texts/t.ts'
import { languageName } from '../../shared/recordings/languages.ts'

const detections: Record<string, string> = {
  auto: t('the language detected'),
  multi: t('languages detected part by part'),
}

/** `30 recordings`. */
export function countRecordings(count: number): string {
  return count === 1 ? t('1 recording') : `${count.toLocaleString('en')} recordings`
}

/** `Transcribe in Pashto and English, translate to French`. */
export function describeBatch({ transcribe, target_languages: targets }: Batch): string {
  const list = new Intl.ListFormat('en')
  const parts = [
    transcribe && `transcribe in ${list.format(spokenLanguages(transcribe))}`,
    targets.length > 0 && `translate to ${list.format(targets.map(languageName))}`,
  ].filter((part) => typeof part === 'string')
  const text = parts.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function spokenLanguages({ language, channel_languages: both }: BatchLanguages): string[] {
  const names = [...(both ?? []), language].map((code) => detections[code] ?? languageName(code))
  return [...new Set(names)]
}

/** How many recordings of a batch are done with, whatever became of them. */
export function countEnded({ done, failed, skipped, cancelled }: BatchCounts): number {
  return done + failed + skipped + cancelled
}

/** `12 of 30 · 1 failed · 2 skipped`. */
export function describeCounts({ counts, total }: Batch): string {
  const facts = [`${countEnded(counts).toLocaleString('en')} of ${total.toLocaleString('en')}`]
  for (const state of ['failed', 'skipped', 'cancelled'] as const) {
    if (counts[state] > 0) facts.push(`${counts[state].toLocaleString('en')} ${state}`)
  }
  return facts.join(' · ')
}
