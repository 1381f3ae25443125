import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { listEndpoints } from '#contract/api.ts'

const folder = join(import.meta.dirname, '..', 'node_modules', '.awaz', 'api-coverage')

/** Forgets what earlier runs called. */
export function clearApiCoverage(): void {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * What the api suite left out, after a whole run with AWAZ_API_COVERAGE=1: one `endpoint: outcome` a gap, for each endpoint that
 * never succeeded and each error of its own that it never answered.
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
