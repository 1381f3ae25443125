import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { allFindings } from './checks.ts'
import type { Finding } from './finding.ts'
import { needsAction } from './run-checks.ts'
import type { Fault } from './testing/fault.ts'
import { backupFaults } from './testing/faults/backups.ts'
import { dataFaults } from './testing/faults/data.ts'
import { fileFaults } from './testing/faults/files.ts'
import { serviceFaults } from './testing/faults/services.ts'
import { settingsFaults } from './testing/faults/settings.ts'
import { workFaults } from './testing/faults/work.ts'
import { openDoctorInstance, type DoctorInstance } from './testing/instance.ts'

// One instance for all tests: each fault is planted while the instance runs, found, and removed again.
let instance: DoctorInstance
beforeAll(async () => {
  instance = await openDoctorInstance()
})
afterAll(() => instance.close())

const faults = [...settingsFaults, ...fileFaults, ...dataFaults, ...workFaults, ...serviceFaults, ...backupFaults]

/** Codes covered by commands.test.ts, and codes that no test can plant: an npm package brings ffmpeg, and no check can be made to fail. */
const plantedElsewhere = [
  'settings.invalid',
  'settings.unreadable',
  'database.unreachable',
  'database.too_old',
  'database.damaged',
]
const unplanted = ['ffmpeg.missing', 'doctor.check_failed']

test('every finding that needs action is planted', () => {
  const codes = Object.entries(allFindings).filter(([, { severity }]) => severity !== 'note')
  const planted = new Set([...faults.map(({ code }) => code), ...plantedElsewhere, ...unplanted])
  expect(planted).toEqual(new Set(codes.map(([code]) => code)))
})

/** Returns the codes of the findings that need action. */
function listActions(found: Finding[]): string[] {
  return [...new Set(found.filter(needsAction).map(({ code }) => code))]
}

test.skipIf(lacks('ffmpeg'))('a healthy instance has no problems', async () => {
  expect(listActions(await instance.examine({ isThorough: true }))).toEqual([])
})

/** Plants a fault, runs the checks, fixes it where `--fix` can, and removes it again. */
async function goThrough({ code, plant, isFixable = false }: Fault) {
  const { undo, ...options } = await plant(instance)
  const examine = (isFixing: boolean) => instance.examine({ codes: [code], ...options, isFixing })
  const seen = { found: [] as string[], fixed: [] as string[], leftByFix: [] as string[], leftByUndo: [] as string[] }
  try {
    seen.found = listActions(await examine(false))
    if (isFixable) {
      seen.fixed = (await examine(true)).flatMap((finding) => (finding.fixed === undefined ? [] : finding.code))
      seen.leftByFix = listActions(await examine(false))
    }
  } finally {
    await undo?.()
  }
  // A fault in the settings needs no second look: the settings apply to one run only.
  if (undo && !options.config) seen.leftByUndo = listActions(await instance.examine({ codes: [code] }))
  return seen
}

describe.each(faults)('$code', (fault) => {
  const { code, name, also = [], needs = [], isFixable, isForRoot } = fault
  const isImpossible = lacks('ffmpeg', ...needs) || (isForRoot === true && process.getuid?.() !== 0)
  test.skipIf(isImpossible)(`is found: ${name}`, async () => {
    expect(await goThrough(fault)).toEqual({
      found: [...also, code],
      fixed: isFixable ? [code] : [],
      leftByFix: [],
      leftByUndo: [],
    })
  })
})

test.skipIf(lacks('ffmpeg'))('the instance is healthy again after all faults were taken out', async () => {
  expect(listActions(await instance.examine())).toEqual([])
})
