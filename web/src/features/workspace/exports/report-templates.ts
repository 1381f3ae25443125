import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { reportTemplates } from '#contract/endpoints/report-templates.ts'
import type { DoubtChoice } from '#contract/formats/lines.ts'
import type { ReportFormat, ReportTemplate, ReportTemplateInput } from '#contract/report-templates.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../../shared/api/client.ts'
import type { ExportOptions } from './export-options.ts'

const queryKey = ['report-templates']

/** Returns the user's report templates by name, fetched once they are wanted. */
export function useReportTemplates({ isWanted }: { isWanted: boolean }) {
  return useQuery({
    queryKey,
    queryFn: async () => (await call(reportTemplates.list)).templates,
    enabled: isWanted,
  })
}

/** Returns functions that save and delete report templates; the caller shows failures. */
export function useReportTemplateActions() {
  const client = useQueryClient()
  const options = {
    networkMode: 'always' as const,
    onSuccess: () => client.invalidateQueries({ queryKey }),
  }
  const save = useMutation({
    ...options,
    /** Without an id, creates a template or replaces the one of the same name. */
    mutationFn: ({ id, ...body }: ReportTemplateInput & { id?: string }) =>
      id === undefined ? call(reportTemplates.save, { body }) : call(reportTemplates.change, { params: { id }, body }),
  })
  const remove = useMutation({
    ...options,
    mutationFn: ({ id }: ReportTemplate) => call(reportTemplates.remove, { params: { id } }),
  })
  return { save, remove }
}

/** Returns what an export with the template contains. */
export function toOptions({ translation, hits, notes, facts, doubt }: ReportTemplate): ExportOptions {
  return { hasTranslation: translation, hasHits: hits, hasNotes: notes, hasFacts: facts, doubt }
}

/** Returns a template without a name, with the given options. */
export function toNewTemplate(options: ExportOptions): ReportTemplateInput {
  const { hasTranslation: translation, hasHits: hits, hasNotes: notes, hasFacts: facts, doubt } = options
  const texts = { heading: '', introduction: '', closing: '' }
  return { name: '', format: 'print', translation, hits, notes, facts, doubt, ...texts }
}

export const reportFormatNames: Record<ReportFormat, string> = {
  print: t('Print or PDF'),
  docx: t('Word (.docx)'),
  dialogue: t('Dialogue (.txt)'),
  txt: t('Text (.txt)'),
}

export const doubtLabels: Record<DoubtChoice, string> = {
  none: t('All lines as they are'),
  mark: t('Uncertain words marked'),
  only: t('Uncertain lines only'),
}

/** Whether a format marks keywords. */
export function canMarkHits(format: ReportFormat): boolean {
  return format === 'print' || format === 'docx'
}

/** Whether a format can contain notes. */
export function canHaveNotes(format: ReportFormat): boolean {
  return format !== 'txt'
}

/** Returns one line with the format of a template and what its reports contain besides the words. */
export function describeTemplate({ format, translation, hits, notes, facts, doubt }: ReportTemplate): string {
  const parts = [
    translation && t('Translation'),
    hits && canMarkHits(format) && t('Keywords marked'),
    notes && canHaveNotes(format) && t('Notes'),
    facts && t('Technical data'),
    doubt !== 'none' && doubtLabels[doubt],
  ].filter((part) => part !== false)
  return [reportFormatNames[format], ...parts].join('\u00A0· ')
}
