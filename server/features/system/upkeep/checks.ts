import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { DoctorFinding, type UpkeepRun } from '#contract/entities/upkeep.ts'
import { Moment } from '#contract/scalars.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { SystemFactRepository } from '#data/system/system-facts.ts'
import type { AuthUser } from '#server/http/context.ts'
import type { RunCommand } from './command.ts'
import type { Runs } from './runs.ts'
import type { createFindingPresenter } from './shown-findings.ts'

interface ChecksDeps {
  config: Pick<Config, 'backup'>
  runs: Pick<Runs, 'start' | 'find' | 'isBusy'>
  runCommand: RunCommand
  facts: Pick<SystemFactRepository, 'find' | 'set'>
  clock: Clock
  presentFindings: ReturnType<typeof createFindingPresenter>
}

const LastChecks = z.object({ at: Moment, findings: z.array(DoctorFinding) })
/** Name of the fact that stores the last findings. */
export const lastChecksFact = 'upkeep_checks'
/** The checks look at every file of the recordings; without --all they hash only a few. */
const timeoutMs = 30 * 60_000
/** By then a new instance has been set up; a restarted one was checked before. */
const firstCheckMs = 60 * 60_000

/** Creates what runs `awaz doctor` for super admins and every night, and keeps its findings. */
export function createDoctorChecks({ config, runs, runCommand, facts, clock, presentFindings }: ChecksDeps) {
  const createdMs = clock.now()

  /** Throws `conflict` if another command is under way. */
  async function start(): Promise<UpkeepRun> {
    return runs.start({ kind: 'checks', subject: null }, async (context) => {
      const { status, stdout, messages } = await runCommand(['doctor', '--json', '--progress'], {
        ...context,
        timeoutMs,
      })
      // 0 and 1 tell whether something needs action.
      if (status !== 0 && status !== 1) throw new AppError('unavailable', messages || `It ended with ${status}.`)
      const last = {
        at: new Date(clock.now()).toISOString(),
        findings: z.array(DoctorFinding).parse(JSON.parse(stdout)),
      }
      await facts.set(lastChecksFact, JSON.stringify(last))
    })
  }

  async function readLast() {
    const text = await facts.find(lastChecksFact)
    return text === null ? null : (LastChecks.safeParse(JSON.parse(text)).data ?? null)
  }

  /** Returns the last findings as the user may see them, and the run under way. */
  async function read(user: AuthUser) {
    const [last, run, isBusy] = await Promise.all([readLast(), runs.find('checks'), runs.isBusy()])
    const findings = last && (await presentFindings(last.findings, user))
    return { last: last && findings && { at: last.at, findings }, run, is_busy: isBusy }
  }

  async function isDue(): Promise<boolean> {
    const run = await runs.find('checks')
    const now = clock.now()
    if (!run) return now - createdMs >= firstCheckMs
    const startedMs = Date.parse(run.started_at)
    // A start in the future was recorded by a wrong clock.
    return startedMs < lastNight(now, hourOfNight(config.backup.time)) || startedMs > now
  }

  /** Starts the nightly checks if no server has done so yet and nothing else is under way. Otherwise reads only one document. */
  async function startDue(): Promise<void> {
    if (!(await isDue())) return
    await start().catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
    })
  }

  /** Returns those of the last findings that need action. */
  async function listIssues(): Promise<DoctorFinding[]> {
    const { findings = [] } = (await readLast()) ?? {}
    return findings.filter(({ severity }) => severity !== 'note')
  }

  return { start, startDue, read, listIssues }
}

/**
 * In the host's local time: after the check of the library, and not when a backup begins, because a backup would not wait for the copy of
 * the database.
 */
function hourOfNight(backupTime: string | undefined): number {
  return backupTime?.startsWith('05:') ? 6 : 5
}

/** Returns the most recent time at which it was `hour` o'clock. */
function lastNight(nowMs: number, hour: number): number {
  const night = new Date(nowMs)
  night.setHours(hour, 0, 0, 0)
  if (night.getTime() > nowMs) night.setDate(night.getDate() - 1)
  return night.getTime()
}
