import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { DoctorFinding, type UpkeepRun } from '#contract/entities/upkeep.ts'
import { Moment } from '#contract/scalars.ts'
import type { Clock } from '#data/clock.ts'
import type { SystemFactRepository } from '#data/system/system-facts.ts'
import type { RunCommand } from './command.ts'
import type { Runs } from './runs.ts'

interface ChecksDeps {
  runs: Runs
  runCommand: RunCommand
  facts: Pick<SystemFactRepository, 'find' | 'set'>
  clock: Clock
}

const LastChecks = z.object({ at: Moment, findings: z.array(DoctorFinding) })
const factName = 'upkeep_checks'
/** It looks at every file of the recordings; without --all it hashes a few. */
const timeoutMs = 30 * 60_000

/** Creates what runs `awaz doctor` for super admins and keeps what it found. */
export function createChecks({ runs, runCommand, facts, clock }: ChecksDeps) {
  /** Throws `conflict` where something is under way. */
  async function start(): Promise<UpkeepRun> {
    return runs.start({ kind: 'checks', subject: null }, async (context) => {
      const { status, stdout, messages } = await runCommand(['doctor', '--json', '--progress'], {
        ...context,
        timeoutMs,
      })
      // 0 and 1 say whether something needs action.
      if (status !== 0 && status !== 1) throw new AppError('unavailable', messages || `It ended with ${status}.`)
      const last = {
        at: new Date(clock.now()).toISOString(),
        findings: z.array(DoctorFinding).parse(JSON.parse(stdout)),
      }
      await facts.set(factName, JSON.stringify(last))
    })
  }

  async function read() {
    const [text, run, isBusy] = await Promise.all([facts.find(factName), runs.find('checks'), runs.isBusy()])
    const last = text === null ? undefined : LastChecks.safeParse(JSON.parse(text)).data
    return { last: last ?? null, run, is_busy: isBusy }
  }

  return { start, read }
}
