import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import { hasConfidences } from '#contract/doubt.ts'
import type { DoubtChoice } from '#contract/formats/lines.ts'
import { buildReport } from '#contract/formats/report.ts'
import type { TranscriptDocument } from '#contract/formats/transcript-document.ts'
import { keywordsInUse } from '#contract/keywords/defaults.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { formatTranscript, transcriptExtensions, transcriptMimeTypes } from '#contract/transcript-formats.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { KeywordService } from '../keywords/service.ts'
import { attachment } from './attachment.ts'
import type { DocxWriter } from './docx/docx-writer.ts'
import { readForExport } from './read-export.ts'
import type { RecordingAccessGuard } from './recording-access.ts'

export interface ExportDeps {
  queue: Queue
  recordingAccess: RecordingAccessGuard
  keywords: Pick<KeywordService, 'readLists'>
  docx: DocxWriter
}

/** Mounts GET /api/recordings/{id}/export. */
export function mountExport(router: AppRouter, { queue, recordingAccess, keywords, docx }: ExportDeps): void {
  route(router, api.recordings.export, async ({ params, query, ctx, ...caller }) => {
    const { format, doubt, target_language: targetLanguage } = query
    const recording = await recordingAccess.requireExportable(caller, params.id)
    const document = await readForExport(queue, recording, { targetLanguage, hasNotes: query.notes })
    if (format !== 'json' && doubt === 'only' && !hasConfidences(document.transcription)) throw notMeasuredError()
    const content =
      format === 'docx'
        ? await writeReport(caller.user.id, document, { doubt, hasHits: query.hits })
        : formatTranscript(format, document, doubt)
    ctx.status = 200
    ctx.set('Content-Type', transcriptMimeTypes[format])
    ctx.set('Content-Disposition', attachment(recording.name, transcriptExtensions[format]))
    ctx.set('Cache-Control', 'no-store')
    ctx.body = content
  })

  async function writeReport(
    userId: string,
    document: TranscriptDocument,
    { doubt, hasHits }: { doubt: DoubtChoice; hasHits: boolean },
  ): Promise<Buffer> {
    const find = hasHits ? createKeywordMatcher(keywordsInUse(await keywords.readLists(userId))) : null
    return docx.write(buildReport(document, { doubt, find }))
  }
}

function notMeasuredError(): AppError {
  return new AppError('conflict', 'This transcript does not say which lines are uncertain', {
    help: 'It was made by an older version. Transcribe the recording again.',
  })
}
