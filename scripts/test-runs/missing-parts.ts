import { describeNeed, findMissingNeeds, isMissingPackage } from '#testing/needs.ts'

/** Prints what the tests leave out on this machine. Exits with status 1 if CI=true and something is missing that Debian provides. */
export function announceMissingParts(): void {
  const missing = findMissingNeeds()
  for (const need of missing) console.log(`Left out: ${describeNeed(need)}`)
  const missingPackages = process.env.CI === 'true' ? missing.filter(isMissingPackage) : []
  if (missingPackages.length === 0) return
  console.log(`With CI=true everything that Debian has must be installed: ${missingPackages.join(', ')}.`)
  process.exit(1)
}

/** Returns the last line of a run: what was left out. */
export function summarizeMissingParts(): string {
  const missing = findMissingNeeds()
  return missing.length === 0 ? 'Nothing was left out.' : `Left out: ${missing.map(describeNeed).join('; ')}.`
}
