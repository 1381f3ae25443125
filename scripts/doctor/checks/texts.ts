import { t } from '#contract/texts/t.ts'
import { isWhole, listPackedContents } from '#data/health/packed-contents.ts'
import { drawSample } from '../../backup/draw-sample.ts'
import { amountTexts, listSome } from '#server/features/system/state/amount-texts.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'texts.damaged': {
    severity: 'problem',
    title: 'Transcripts, translations or edits are not what was stored, by their checksum',
    why: 'They cannot be opened. The disk or the memory of this machine lost bits.',
    remedy:
      'Restore a backup (docs/backup.md), or transcribe or translate again. npm run awaz -- doctor --all checks every text.',
  },
} as const

const finding = findingsOf(findings)
/** Number of texts checked without --all. */
const sampleSize = 200

/** Checks transcripts, translations and edits: each is stored with a CRC-32 (gzip, RFC 1952). */
export const textsCheck: Check<DatabaseContext> = { name: 'texts', findings, run }

async function run({ connection, isThorough, signal, onProgress }: DatabaseContext): Promise<Finding[]> {
  const all = await listPackedContents(connection)
  const sample = isThorough ? all : drawSample(all, sampleSize)
  const damaged: string[] = []
  for (const [index, content] of sample.entries()) {
    signal.throwIfAborted()
    onProgress(index, sample.length)
    if (!(await isWhole(connection, content))) damaged.push(`${content.kind} ${content.id}`)
  }
  if (damaged.length === 0) return []
  return [
    finding(
      'texts.damaged',
      t('The checksum of {1} ({2}) is wrong. Of {4, number} texts {3, number} were checked.', {
        1: amountTexts.texts(damaged.length),
        2: listSome(damaged),
        3: sample.length,
        4: all.length,
      }),
    ),
  ]
}
