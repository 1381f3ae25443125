import { z } from 'zod'
import { doubtChoices } from './formats/lines.ts'
import { Id } from './scalars.ts'

export const maxReportTemplates = 20
export const maxReportTemplateName = 80
export const maxReportHeading = 200
export const maxReportText = 2_000

/** The kinds of report that have room for a heading: the print view, and the files to read. */
export const reportFormats = ['print', 'docx', 'dialogue', 'txt'] as const
export type ReportFormat = (typeof reportFormats)[number]

const noControlCharacters = /^(?:\n|\P{Cc})*$/u

/** Lines of text. Line breaks are stored as `\n` and tabs as spaces. Blank lines between others are kept. */
const ReportLines = z
  .string()
  .overwrite((text) => text.replace(/\r\n?/g, '\n').replaceAll('\t', ' '))
  .trim()
  .max(maxReportText, `A text has at most ${maxReportText} characters`)
  .regex(noControlCharacters, 'A text has no control characters except line breaks')

/**
 * The texts around a transcript. Empty ones are left out. The placeholder `{recording}` becomes the name of the recording, `{date}` the
 * time of the export, and `{person}` the name of the person exporting.
 */
export const ReportTexts = z.object({
  heading: z
    .string()
    .trim()
    .max(maxReportHeading, `A heading has at most ${maxReportHeading} characters`)
    .regex(/^\P{Cc}*$/u, 'A heading must be a single line')
    .default(''),
  introduction: ReportLines.default(''),
  closing: ReportLines.default(''),
})
export type ReportTexts = z.infer<typeof ReportTexts>

/** A report template as a request sends it. A part that a format or a recording does not have is left out of its report. */
export const ReportTemplateInput = z.object({
  name: z
    .string()
    .normalize()
    .trim()
    .min(1, 'Please enter a name')
    .max(maxReportTemplateName, `A name must be at most ${maxReportTemplateName} characters`)
    .regex(/^\P{Cc}*$/u, 'A name must be a single line'),
  format: z.enum(reportFormats).default('print'),
  /** Whether the translation that the reader sees is included. */
  translation: z.boolean().default(true),
  /** Whether keywords are marked. */
  hits: z.boolean().default(true),
  /** Whether notes, bookmarks and flags are included, with the words they quote. */
  notes: z.boolean().default(true),
  /** Whether models, settings and hashes are included, at the end. */
  facts: z.boolean().default(true),
  doubt: z.enum(doubtChoices).default('none'),
  ...ReportTexts.shape,
})
export type ReportTemplateInput = z.infer<typeof ReportTemplateInput>

/** A user's report template. Its name is unique among their templates. */
export const ReportTemplate = ReportTemplateInput.extend({ id: Id })
export type ReportTemplate = z.infer<typeof ReportTemplate>
