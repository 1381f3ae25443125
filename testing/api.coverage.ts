// Runs after the suites that run the application: compares the outcomes that their client saw with those that the contract declares.
import { expect, test } from 'vitest'
import { findApiGaps } from './api-coverage-records.ts'
import { findMissingNeeds, type Need } from './needs.ts'

/** Outcomes that are only covered by tests that need a program the machine may lack. */
const outcomesByNeed: Partial<Record<Need, string[]>> = {
  slapd: [
    'success',
    'sign_in_failed',
    'sso_denied',
    'account_deactivated',
    'account_locked',
    'provider_unavailable',
  ].map((outcome) => `sso.directorySignIn: ${outcome}`),
}

test('every endpoint is tested for success and for each error it declares, as far as this machine has what the tests need', () => {
  const unreachable = findMissingNeeds().flatMap((need) => outcomesByNeed[need] ?? [])
  expect(findApiGaps().toSorted()).toEqual(unreachable.toSorted())
})
