import { expect, test } from 'vitest'
import { healthIssues } from '#server/features/system/state/health-issues.ts'
import { allFindings } from './checks.ts'
import { checkCertificate } from './checks/public-address.ts'

test('what a server notices too has one severity, title and remedy', () => {
  // Even without BACKUP_DIR, a new instance passes its checks.
  const shared = Object.entries(healthIssues).filter(([code]) => code !== 'backup.not_set_up')
  const found = shared.map(([code]) => allFindings[code])
  expect(found).toEqual(shared.map(([, issue]) => ({ ...issue, why: expect.any(String) })))
})

const now = new Date('2026-03-01T12:00:00Z')

test.each([
  [4, 'certificate.ends_soon', 'problem', 'The certificate of PUBLIC_URL ends in 4 days', 'It ends on 2026-03-06.'],
  [9, 'certificate.ends_soon', 'warning', 'The certificate of PUBLIC_URL ends in 9 days', 'It ends on 2026-03-11.'],
  [-1, 'certificate.expired', 'problem', 'The certificate of PUBLIC_URL has expired', 'It ended on 2026-03-01.'],
] as const)('a certificate with %i days left says so in its title', (days, code, severity, title, what) => {
  const endsAt = new Date(now.getTime() + (days + 0.5) * 24 * 3_600_000)
  const certificate = { endsAt, problem: undefined }
  expect(checkCertificate({ certificate }, now)).toMatchObject([{ code, severity, title, what }])
})
