import { readFileSync } from 'node:fs'
import { listEndpoints } from '#contract/api.ts'
import { listApiRecords } from './records.ts'

/**
 * Returns what the api suite did not cover in a complete run with AWAZ_API_COVERAGE=1: one `endpoint: outcome` for each endpoint that
 * never succeeded and for each declared error that it never responded with.
 */
export function findApiGaps(): string[] {
  const seen = new Set<string>()
  for (const path of listApiRecords()) {
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
      const { endpoint, outcome } = JSON.parse(line) as { endpoint: string; outcome: string } // written by testing/server.ts
      seen.add(`${endpoint}: ${outcome}`)
    }
  }
  const wanted = listEndpoints().flatMap(({ name, spec }) =>
    ['success', ...spec.errors].map((outcome) => `${name}: ${outcome}`),
  )
  return wanted.filter((entry) => !seen.has(entry))
}
