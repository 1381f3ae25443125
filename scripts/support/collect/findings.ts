import { allFindings } from '../../doctor/checks.ts'
import type { Finding } from '../../doctor/finding.ts'
import { fields, flag, listOf, number, oneOf, wordsIn } from '../allow-list.ts'
import type { SupportFile } from '../archive.ts'
import { errorCodes, settingNames, systemErrors } from '../vocabulary.ts'

const units = [
  'recording',
  'file',
  'document',
  'index',
  'job',
  'engine',
  'day',
  'hour',
  'minute',
  'byte',
  'KB',
  'MB',
  'GB',
]
const amounts = new RegExp(`\\b(\\d{1,3}(?:,\\d{3})+|\\d{1,7}(?:\\.\\d)?) (${units.join('|')})(?:e?s)?\\b`, 'g')

/** Codes of a single word are left out: they occur in any sentence. */
const ownWords = [...settingNames, ...systemErrors, ...errorCodes.filter((code) => code.includes('_'))]

const finding = fields({
  code: oneOf(Object.keys(allFindings)),
  severity: oneOf(['problem', 'warning', 'note']),
  title: oneOf(Object.values(allFindings).map(({ title }) => title)),
  amounts: listOf(fields({ amount: number, unit: oneOf(units) })),
  mentions: wordsIn(ownWords),
})

/** Returns what `awaz doctor` found. Its sentences, which name paths and ids, are reduced to amounts and the product's own words. */
export function describeFindings(found: readonly Finding[], { isComplete }: { isComplete: boolean }): SupportFile {
  return {
    name: 'doctor',
    about:
      'findings of "awaz doctor": codes, amounts, and settings and errors that its sentences mention (docs/doctor.md)',
    shape: fields({ is_complete: flag, findings: listOf(finding) }),
    value: { is_complete: isComplete, findings: found.map(describe) },
  }
}

function describe({ code, severity, what }: Finding) {
  return {
    code,
    severity,
    title: allFindings[code]?.title,
    amounts: [...what.matchAll(amounts)].map(([, amount, unit]) => ({
      amount: Number(amount?.replaceAll(',', '')),
      unit,
    })),
    mentions: what,
  }
}
