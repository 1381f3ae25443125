import { isolateName } from '../isolated-name.ts'
import type { ReportTexts } from '../report-templates.ts'
import { directedLine } from './direction.ts'
import { oneLine } from './lines.ts'
import { formatMoment } from './report-facts.ts'
import { directionOf } from './report-text.ts'
import type { TranscriptDocument } from './transcript-document.ts'

/** What surrounds the transcript in a report. */
export interface ReportLayout {
  /** The texts of a template; null without a template. */
  texts: ReportTexts | null
  /** The person who makes the report, for `{person}`. */
  person: string
  /** Whether models, settings and hashes are listed at the end. */
  hasFacts: boolean
}

/** The layout of a report without a template. */
export const plainLayout: ReportLayout = { texts: null, person: '', hasFacts: true }

/** The texts of a template with their placeholders filled in, as lines; empty when there are none. */
export interface RenderedReportTexts {
  /** At most one line. */
  heading: string[]
  /** Whether the heading contains the name of the recording. */
  isNamed: boolean
  introduction: string[]
  closing: string[]
}

/** Returns the texts around a transcript. Names in them are isolated (see isolateName). */
export function renderReportTexts({ texts, person }: ReportLayout, document: TranscriptDocument): RenderedReportTexts {
  const values: Record<string, string> = {
    '{recording}': isolateName(oneLine(document.name ?? '')),
    '{date}': formatMoment(document.exported_at).join(''),
    '{person}': isolateName(oneLine(person)),
  }
  const fill = (text: string) => text.replace(/\{(?:recording|date|person)\}/g, (found) => values[found] ?? found)
  const linesOf = (text = '') => (text === '' ? [] : fill(text).split('\n'))
  return {
    heading: linesOf(texts?.heading),
    isNamed: texts?.heading.includes('{recording}') ?? false,
    introduction: linesOf(texts?.introduction),
    closing: linesOf(texts?.closing),
  }
}

/** Represents all languages written from right to left. */
const rightToLeftLanguage = 'fa'

/** Returns lines written by a person as lines of a text file, each in the direction of its first letter. */
export function markLineDirections(lines: string[]): string[] {
  return lines.map((line) => directedLine(line, directionOf(line, null) === 'rtl' ? rightToLeftLanguage : null))
}
