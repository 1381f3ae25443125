import { readFileSync } from 'node:fs'
import { listEndpoints } from '#contract/api.ts'
import { listApiRecords } from './records.ts'

/**
 * Returns what a complete run of the api suite with AWAZ_API_COVERAGE=1 did not cover: one `endpoint: outcome` for each endpoint that
 * never succeeded and for each declared error that was never returned.
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
