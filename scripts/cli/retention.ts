import { parseArgs } from 'node:util'
import { maxDaysAhead, type RetentionRule } from '#contract/retention.ts'
import { listHeldCases } from '#data/holds/case-holds.ts'
import { listHeldRecordings } from '#data/holds/recording-holds.ts'
import { findCasesById } from '#data/cases/cases.ts'
import { readConfig } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { planRetention } from '#data/retention/plan.ts'
import { readRetentionRules } from '#data/retention/rules.ts'
import { findPeople } from '#data/users/people.ts'
import { withCliDatabase } from '../admin/database.ts'
import { withCommandName } from './command-name.ts'

const usage = `Usage: npm run awaz -- retention COMMAND

  dry-run [--within DAYS]    every recording that would be deleted by now, or within so many days, and by which rule; deletes nothing
  holds                      what is on legal hold

Recordings are named by their ids, owners and times of upload, and not by their names.`

const maxListed = 10_000
const dayMs = 24 * 3600 * 1000

type Command = (connection: DatabaseConnection, options: { withinDays: number; retentionDays: number }) => Promise<void>
const commands: Record<string, Command> = { 'dry-run': dryRun, holds: listHolds }

/** `awaz retention dry-run|holds`. */
export async function run(args: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { within: { type: 'string', default: '0' }, help: { type: 'boolean', default: false } },
  })
  const [name = '', ...others] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (values.help || !command || others.length > 0) {
    console.log(withCommandName(usage))
    return args.length === 0 || values.help ? 0 : 1
  }
  const withinDays = Number(values.within)
  if (!Number.isInteger(withinDays) || withinDays < 0 || withinDays > maxDaysAhead) {
    console.error(`--within takes a whole number of days from 0 to ${maxDaysAhead}.`)
    return 1
  }
  const { retentionDays } = readConfig(process.env)
  await withCliDatabase((connection) => command(connection, { withinDays, retentionDays }))
  return 0
}

async function dryRun(
  connection: DatabaseConnection,
  { withinDays, retentionDays }: { withinDays: number; retentionDays: number },
): Promise<void> {
  const rules = await readRetentionRules(connection, retentionDays)
  const plan = await planRetention(connection, rules, withinDays)
  const [people, cases] = await Promise.all([
    findPeople(
      connection,
      plan.recordings.map(({ ownerId }) => ownerId),
    ),
    findCasesById(
      connection,
      plan.recordings.flatMap(({ caseId }) => caseId ?? []),
    ),
  ])
  for (const { id, ownerId, createdAt, days, rule, caseId, dueAt } of plan.recordings) {
    const owner = people.get(ownerId)?.email ?? `user ${ownerId}`
    const why = describeRule(rule, cases.get(caseId ?? '')?.name)
    const isOverdue = dueAt.getTime() <= plan.until.getTime() - withinDays * dayMs
    const when = isOverdue ? 'now' : toMinute(dueAt)
    console.log(`${id}  ${owner}  uploaded ${toMinute(createdAt)}  ${days} days ${why}  goes ${when}`)
  }
  const { recordings, texts, held, until } = plan
  console.log(
    `Until ${toMinute(until)} UTC: ${count(recordings.length, 'recording')} and ${count(texts, 'text')} would be deleted.`,
  )
  if (held > 0) console.log(`On legal hold, and kept for that reason alone: ${count(held, 'recording')}.`)
}

async function listHolds(connection: DatabaseConnection): Promise<void> {
  const [cases, recordings] = await Promise.all([
    listHeldCases(connection, maxListed),
    listHeldRecordings(openQueue(connection), maxListed),
  ])
  const held = [
    ...cases.map((each) => ({ ...each, what: 'case' })),
    ...recordings.map((each) => ({ ...each, what: 'recording' })),
  ]
  const people = await findPeople(
    connection,
    held.flatMap(({ ownerId, hold }) => [ownerId, ...(hold ? [hold.setBy] : [])]),
  )
  for (const { id, what, ownerId, hold } of held) {
    if (!hold) continue
    const [owner, setBy] = [ownerId, hold.setBy].map((each) => people.get(each)?.email ?? `user ${each}`)
    const by = `${setBy}${hold.isByAdmin ? ', an admin' : ''}`
    console.log(`${what} ${id}  of ${owner}  since ${toMinute(hold.setAt)}  set by ${by}: ${hold.reason}`)
  }
  console.log(`On legal hold: ${count(cases.length, 'case')} and ${count(recordings.length, 'recording')}.`)
}

function describeRule(rule: RetentionRule, caseName = ''): string {
  const descriptions = {
    case: `of the case "${caseName}"`,
    role: 'of the role of its owner',
    setting: '(RETENTION_DAYS)',
  }
  return descriptions[rule]
}

function toMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ')
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
