import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listEndpoints } from '#contract/api.ts'

const folder = join(import.meta.dirname, '..', 'node_modules', '.awaz', 'api-coverage')

/** Deletes the records of earlier runs. */
export function clearApiCoverage(): void {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Returns what the api suite did not cover in a complete run with AWAZ_API_COVERAGE=1: one `endpoint: outcome` for each endpoint that
 * never succeeded and for each declared error that it never responded with.
 */
export function findApiGaps(): string[] {
  const seen = new Set<string>()
  for (const name of readFolder()) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)) {
      const { endpoint, outcome } = JSON.parse(line) as { endpoint: string; outcome: string } // written by testing/server.ts
      seen.add(`${endpoint}: ${outcome}`)
    }
  }
  const wanted = listEndpoints().flatMap(({ name, spec }) =>
    ['success', ...spec.errors].map((outcome) => `${name}: ${outcome}`),
  )
  return wanted.filter((entry) => !seen.has(entry))
}

function readFolder(): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
