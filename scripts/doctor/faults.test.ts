import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { allFindings } from './checks.ts'
import type { Finding } from './finding.ts'
import { backupFaults } from './testing/faults/backups.ts'
import { dataFaults } from './testing/faults/data.ts'
import { fileFaults } from './testing/faults/files.ts'
import { serviceFaults } from './testing/faults/services.ts'
import { settingsFaults } from './testing/faults/settings.ts'
import { workFaults } from './testing/faults/work.ts'
import { openDoctorInstance, type DoctorInstance } from './testing/instance.ts'

// One instance for all: each fault is planted into it while it runs, found, and taken out again.
let instance: DoctorInstance
beforeAll(async () => {
  instance = await openDoctorInstance()
})
afterAll(() => instance.close())

const faults = [...settingsFaults, ...fileFaults, ...dataFaults, ...workFaults, ...serviceFaults, ...backupFaults]

/** Found by commands.test.ts, and what no test can plant: a package of npm brings an ffmpeg, and no check is made to fail. */
const plantedElsewhere = ['settings.invalid', 'settings.unreadable', 'database.unreachable', 'database.damaged']
const unplanted = ['ffmpeg.missing', 'doctor.check_failed']

test('every finding that needs action is planted', () => {
  const codes = Object.entries(allFindings).filter(([, { severity }]) => severity !== 'note')
  const planted = new Set([...faults.map(({ code }) => code), ...plantedElsewhere, ...unplanted])
  expect(planted).toEqual(new Set(codes.map(([code]) => code)))
})

/** Codes and texts of what needs action. */
function listActions(found: Finding[]): string[][] {
  const left = found.filter(({ severity, fixed }) => severity !== 'note' && fixed === undefined)
  return left.map(({ code, what }) => [code, what])
}

test('a healthy instance has no problems', async () => {
  expect(listActions(await instance.examine({ isThorough: true }))).toEqual([])
})

describe.each(faults)('$code', ({ code, name, plant, also = [], needs = [], isFixable = false, isForRoot = false }) => {
  const isImpossible = lacks(...needs) || (isForRoot && process.getuid?.() !== 0)
  test.skipIf(isImpossible)(`is found: ${name}`, async () => {
    const { undo, ...options } = await plant(instance)
    const examine = (isFixing: boolean) => instance.examine({ codes: [code], ...options, isFixing })
    try {
      const found = await examine(false)
      expect([...new Set(listActions(found).map(([name]) => name))], JSON.stringify(found)).toEqual([...also, code])
      if (isFixable) {
        expect((await examine(true)).filter(({ fixed }) => fixed !== undefined).map((each) => each.code)).toEqual([
          code,
        ])
        expect(listActions(await examine(false))).toEqual([])
      }
    } finally {
      await undo?.()
    }
    if (undo && !options.config) expect(listActions(await instance.examine({ codes: [code] }))).toEqual([])
  })
})

test('the instance is healthy again after all faults were taken out', async () => {
  expect(listActions(await instance.examine())).toEqual([])
})
