import { Button } from '@mantine/core'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'
import { recordings } from '#contract/endpoints/recordings.ts'
import { reportTemplates } from '#contract/endpoints/report-templates.ts'
import { doubtChoices, type DoubtChoice } from '#contract/formats/lines.ts'
import { buildReport, type TranscriptReport } from '#contract/formats/report.ts'
import { toDocument, TranscriptExport } from '#contract/formats/transcript-document.ts'
import { keywordsInUse } from '#contract/keywords/defaults.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { t } from '#contract/texts/t.ts'
import { messageWithHelp } from '../../../shared/api/api-error.ts'
import { call, callForFile } from '../../../shared/api/client.ts'
import { displayName } from '../../../shared/format.ts'
import { useKeywords } from '../../../shared/keywords/use-keywords.ts'
import { useUser } from '../../../shared/session/session.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../../shared/ui/notice.tsx'
import { useTitle } from '../../../shared/use-title.ts'
import classes from './print-page.module.css'
import { ReportView } from './report-view.tsx'

interface PrintChoice {
  id: string
  target: string | null
  doubt: DoubtChoice
  hasNotes: boolean
  hasHits: boolean
  hasFacts: boolean
  /** The id of a report template; null without one. */
  template: string | null
}

/** The recording in the address, as a document to print with the same content as its Word file. */
export function PrintPage() {
  const [search] = useSearchParams()
  const id = search.get('recording')
  if (!id) return <Navigate to="/dashboard" replace />
  const doubt = doubtChoices.find((choice) => choice === search.get('doubt')) ?? 'none'
  const choice = {
    id,
    target: search.get('target'),
    doubt,
    hasNotes: search.get('notes') !== 'false',
    hasHits: search.get('hits') !== 'false',
    hasFacts: search.get('facts') !== 'false',
    template: search.get('template'),
  }
  return <LoadedReport choice={choice} />
}

function LoadedReport({ choice }: { choice: PrintChoice }) {
  const { report, ...state } = useReport(choice)
  if (report) return <PrintView report={report} />
  return (
    <main className={classes.empty}>
      <WithoutReport {...state} />
    </main>
  )
}

/** Says why there is no report, or not yet any. */
function WithoutReport({ error, isTemplateMissing, retry }: Omit<ReturnType<typeof useReport>, 'report'>) {
  if (error) {
    return <ErrorNotice message={messageWithHelp(error, t('The recording could not be loaded.'))} onRetry={retry} />
  }
  if (!isTemplateMissing) return <LoadingNotice label={t('Preparing the document')} />
  return (
    <Notice title={t('This report template no longer exists.')}>
      {t('Close this tab, and choose another template or a format from the export menu.')}
    </Notice>
  )
}

// What is being read or printed must not change.
const fetchOnce = { staleTime: Infinity, retry: false }

/** Fetches the texts of a report template; null if it no longer exists. */
function useReportTexts(template: string | null) {
  return useQuery({
    queryKey: ['print', 'template', template],
    queryFn: async () => (await call(reportTemplates.list)).templates.find(({ id }) => id === template) ?? null,
    enabled: template !== null,
    ...fetchOnce,
  })
}

function useReport({ id, target, doubt, hasNotes, hasHits, hasFacts, template }: PrintChoice) {
  const user = useUser()
  const person = displayName(user)
  const { keywords, isLoading } = useKeywords(user.id)
  const textsQuery = useReportTexts(template)
  const { data, error, refetch } = useQuery({
    queryKey: ['print', id, target, hasNotes],
    queryFn: async () => {
      const query = { format: 'json' as const, ...(target && { target_language: target }), notes: String(hasNotes) }
      const file = await callForFile(recordings.export, { params: { id }, query })
      return toDocument(TranscriptExport.parse(JSON.parse(await file.text())))
    },
    ...fetchOnce,
  })
  const texts = textsQuery.data ?? null
  const isReady = template === null || texts !== null
  const report = useMemo(() => {
    if (!data || isLoading || !isReady) return null
    const find = hasHits ? createKeywordMatcher(keywordsInUse(keywords)) : null
    return buildReport(data, { doubt, find, layout: { texts, person, hasFacts } })
  }, [data, doubt, hasFacts, hasHits, isLoading, isReady, keywords, person, texts])
  const retry = () => {
    if (error) void refetch()
    if (textsQuery.error) void textsQuery.refetch()
  }
  return { report, error: error ?? textsQuery.error, isTemplateMissing: textsQuery.data === null, retry }
}

function PrintView({ report }: { report: TranscriptReport }) {
  useTitle(report.title, { isFileName: true })
  useOpenPrintDialog()
  return (
    <div className={classes.page}>
      <header className={classes.tools}>
        <Button leftSection={<IconPrinter size={18} stroke={1.5} />} onClick={() => window.print()}>
          {t('Print')}
        </Button>
        <p className={classes.hint}>{t('To keep it as a PDF, choose “Save as PDF” as the printer.')}</p>
      </header>
      <ReportView report={report} />
    </div>
  )
}

/** Opens the browser's print dialog once, when the fonts of all scripts have loaded. */
function useOpenPrintDialog(): void {
  useEffect(() => {
    const leaving = new AbortController()
    void printWhenReady(leaving.signal)
    return () => leaving.abort()
  }, [])
}

async function printWhenReady(leaving: AbortSignal): Promise<void> {
  await document.fonts.ready
  if (!leaving.aborted) window.print()
}
